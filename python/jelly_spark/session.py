"""Adding the jar of this package to a Spark session."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jelly_spark.errors import JarMissingError, SparkConnectError
from jelly_spark.jvm import check_spark_version, find_bridge

if TYPE_CHECKING:
    from py4j.java_gateway import JVMView
    from pyspark.sql import SparkSession

__all__ = ["configure", "jar_path"]

_JARS = "spark.jars"
_SUBMIT_ARGS = "PYSPARK_SUBMIT_ARGS"
# A line of a Java properties file.
_JARS_PROPERTY = re.compile(r"^[ \t]*spark\.jars(?:[ \t]*[=:]|[ \t])(.*)$", re.MULTILINE)


def jar_path() -> Path:
    """Return the path of the jar in this package, for `spark-submit --jars`.

    Raises:
        JarMissingError: the package was installed without the jar.
    """
    path = Path(__file__).parent / "jars" / "jelly-spark.jar"
    if not path.is_file():
        raise JarMissingError(
            "this installation of jelly-spark has no jar: install its wheel, or run `make jar` in "
            "a checkout"
        )
    return path


def configure(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Add the packaged jar to the session that `builder` will create, and return `builder`.

        spark = jelly_spark.configure(SparkSession.builder.appName("log")).getOrCreate()

    The session keeps the jars from the builder's own `spark.jars`, from `spark-defaults.conf` and
    from `PYSPARK_SUBMIT_ARGS`. Call this function after setting the builder's other options. If
    Spark's JVM is already running (under `spark-submit`, or in a notebook), the jar is added to it
    at once.

    Raises:
        JarMissingError: the package was installed without the jar.
        MissingPackageError: PySpark is not installed.
        SparkConnectError: the builder is for Spark Connect. Start the server with the jar instead.
        SparkVersionError: PySpark is older than version 4.0.
    """
    check_spark_version()
    from pyspark.sql.utils import is_remote

    jar = str(jar_path())
    options: dict[str, Any] = builder._options
    if "spark.remote" in options or "SPARK_REMOTE" in os.environ or is_remote():
        raise SparkConnectError(
            "configure() cannot reach a Spark Connect server: start the server with "
            f"`--jars {jar}`, and use its data sources without configure()"
        )
    from pyspark import SparkContext  # not in the package `pyspark-client`

    jars = _split(options.get(_JARS))
    if SparkContext._jvm is not None:
        _load(SparkContext._jvm, jar)
    else:
        submit_jars, submit_args = _take_jars(shlex.split(os.environ.get(_SUBMIT_ARGS, "")))
        if submit_jars:
            # These override `spark.jars` from anywhere else, so the jar must be among them.
            jars = [*submit_jars, *jars]
            all_jars = _join(jars, jar)
            os.environ[_SUBMIT_ARGS] = shlex.join(["--jars", all_jars, *submit_args])
        elif not jars:
            jars = _default_jars()
    return builder.config(_JARS, _join(jars, jar))


def _split(jars: str | None) -> list[str]:
    return [jar.strip() for jar in (jars or "").split(",") if jar.strip()]


def _join(jars: list[str], jar: str) -> str:
    return ",".join(dict.fromkeys([*jars, jar]))


def _take_jars(args: list[str]) -> tuple[list[str], list[str]]:
    """Split spark-submit's arguments into the jars that they set, in any form, and the rest."""
    jars: list[str] = []
    rest: list[str] = []
    words = iter(args)
    for word in words:
        name, joined, value = word.partition("=")
        if name not in ("--jars", "--conf", "-c"):
            rest.append(word)
            continue
        value = value if joined else next(words, "")
        setting, _, set_jars = value.partition("=")
        if name == "--jars":
            jars += _split(value)
        elif setting.strip() == _JARS:
            jars += _split(set_jars)
        else:
            rest += [name, value]
    return jars, rest


def _default_jars() -> list[str]:
    """Return the `spark.jars` of spark-defaults.conf, which a builder's own would override."""
    from pyspark.find_spark_home import _find_spark_home

    folder = os.environ.get("SPARK_CONF_DIR") or os.path.join(_find_spark_home(), "conf")
    path = Path(folder) / "spark-defaults.conf"
    if not path.is_file():
        return []
    settings = _JARS_PROPERTY.findall(path.read_text(encoding="utf-8"))
    return _split(settings[-1]) if settings else []


def _load(jvm: JVMView, jar: str) -> None:
    """Add the jar to a running JVM, which no setting reaches any more, unless it has the jar."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if find_bridge(jvm) is None:
        loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
        loader.addURL(jvm.java.io.File(jar).toURI().toURL())
        context = SparkContext._active_spark_context
        if context is not None:
            context._jsc.addJar(jar)
        session = SparkSession.getActiveSession()
        if session is not None:
            find_bridge(jvm).addFunctions(session._jsparkSession)
