"""What importing the codec imports: little, so that short programs start fast."""

import subprocess
import sys

import jelly_spark
from jelly_spark import codec

# The other modules of `core` compile few patterns.
LOADED = ("jelly_spark", "jelly_spark._version", "jelly_spark.codec", "jelly_spark.errors")


def modules_after(statement: str) -> set[str]:
    """Return the modules of this package, and packages of others, that a statement imports."""
    program = (
        f"import sys\nbefore = {{*sys.modules}}\n{statement}\nprint(*sys.modules.keys() - before)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    names = run.stdout.split()
    own = {name for name in names if name.partition(".")[0] == "jelly_spark"}
    return own | {name.partition(".")[0] for name in names} - {*sys.stdlib_module_names}


def test_importing_the_package_imports_nothing_else() -> None:
    assert modules_after("import jelly_spark") == {"jelly_spark", "jelly_spark._version"}


def test_importing_the_codec_imports_no_format() -> None:
    found = modules_after("import jelly_spark.codec")
    others = {name for name in found if not name.startswith("jelly_spark.core")}
    assert others == {*LOADED, "jelly_spark.formats"}


def test_a_format_is_imported_alone() -> None:
    found = modules_after("from jelly_spark.codec import JellyPatchReader, read_jelly_patch")
    assert "jelly_spark.formats.jelly_patch" in found
    assert "google" in found
    assert not {name for name in found if ".rdf_patch" in name or "ntriples" in name}
    assert "google" not in modules_after("from jelly_spark.codec import write_nquads")


def test_all_names_are_there() -> None:
    for module in (jelly_spark, codec):
        for name in module.__all__:
            assert getattr(module, name) is getattr(module, name)
        assert not hasattr(module, "oops")
