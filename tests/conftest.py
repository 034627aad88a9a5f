"""Set-up and fixtures of all tests.

PySpark is imported only when a test asks for a session: the tests of the Python codec must run
where it is not installed.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import jvm_options
from tests.codecs import Codec, JellyJvmCodec, JvmCodec, PythonCodec
from tests.shared import JENA_JAR, ROOT, SHARED, WORKER_DAEMON
from tests.skips import fail_if_skipped

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# By default, Spark starts the `python3` of the path for its Python workers, and listens on the
# address that the machine's name resolves to.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
# The `java` launcher reads this variable in all JVMs that the tests start. The Scala tests run with
# the JVM's defaults.
os.environ.setdefault("JDK_JAVA_OPTIONS", jvm_options.SMALL)

# Times say more about the machine than about the code, so no test fails because an example takes
# long to run or to draw.
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail tests that were skipped in CI."""
    return fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail modules that were skipped in CI."""
    return fail_if_skipped((yield))


PLAIN = [
    *("test_layers.py", "algebra", "cli", "codec", "conformance", "differential"),
    *("integrations", "interop", "report", "stores"),
]
"""Where tests are that need neither Spark nor the jar, but for those with the mark `spark`."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a Spark session, or are where tests need what is built."""
    for item in items:
        if isinstance(item, pytest.Function):
            params = item.callspec.params if hasattr(item, "callspec") else {}
            on_spark = params.get("codec") == "jvm" or params.get("engine") == "spark"
            is_plain = item.path.relative_to(ROOT / "tests").parts[0] in PLAIN
            if not is_plain or "spark" in item.fixturenames or on_spark:
                item.add_marker("spark")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the modules whose tests took longest: where to look if the tests take too long."""
    seconds: dict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.location[0]] += report.duration
    if sum(seconds.values()) >= 60:
        terminalreporter.section("modules that took longest")
        for module in sorted(seconds, key=seconds.__getitem__, reverse=True)[:10]:
            terminalreporter.write_line(f"{seconds[module]:6.0f} s  {module}")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The directory of the shared data; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared data in {SHARED}: set JELLY_SPARK_SHARED")
    return SHARED


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session made as users make theirs; every process that runs tests has its own."""
    from pyspark.sql import SparkSession

    import jelly_spark

    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        # Of a hundred by default. The queries of a module, which are much alike, share their code.
        .config("spark.sql.codegen.cache.maxEntries", "2000")
        .config("spark.python.daemon.module", WORKER_DAEMON)
        # By default, an eighth of a session's time goes into descriptions of plans for the UI, and
        # into noting where in Python columns were made. The pages of the site have these defaults.
        .config("spark.sql.ui.explainMode", "simple")
        .config("spark.python.sql.dataFrameDebugging.enabled", "false")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        # Of a thousand by default. So what a test finds there does not depend on how many tests ran
        # before it.
        .config("spark.ui.retainedJobs", "100")
        .config("spark.ui.retainedStages", "100")
    )
    if JENA_JAR.is_file():
        builder = builder.config("spark.jars", str(JENA_JAR))
    session = jelly_spark.configure(builder).getOrCreate()
    # Many tests make jobs fail, and Spark would log each failure.
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def jelly_jvm(spark: SparkSession) -> JellyJvmCodec:
    """The engine of the second jar; tests that need it are skipped where it was not built."""
    if not JENA_JAR.is_file():
        pytest.skip(f"no {JENA_JAR}: run `make jena-jar`")
    return JellyJvmCodec(spark)


@pytest.fixture(scope="session")
def jvm(spark: SparkSession) -> JvmCodec:
    """The JVM's codec."""
    return JvmCodec(spark)


@pytest.fixture(scope="session", params=["python", "jvm"])
def codec(request: pytest.FixtureRequest) -> Codec:
    """Each of the codecs; only the JVM's needs a session."""
    if request.param == "python":
        return PythonCodec()
    found: JvmCodec = request.getfixturevalue("jvm")
    return found
