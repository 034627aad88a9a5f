"""Files with restart points: both codecs write the same bytes, and read the same rows."""

from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.jelly.options import JellyOptions
from tests.codec.files.restart_files import all_options, name_of, points_of, read, rows_for
from tests.codecs import JvmCodec
from tests.differential.comparison import PYTHON


@pytest.mark.parametrize("interval", [1, 100, 700])
@pytest.mark.parametrize("options", list(all_options(0)), ids=name_of)
def test_every_stream(jvm: JvmCodec, options: JellyOptions, interval: int) -> None:
    columns = "subject,predicate,object,graph" if interval > 1 else ""
    asked = type(options)(
        **{**vars(options), "restart_interval": interval, "index_columns": columns}
    )
    for seed in range(3):
        rows = rows_for(asked, seed=seed)
        data = PYTHON.encode(rows, asked)
        assert points_of(data)
        assert jvm.encode(rows, asked) == data
        how = {"namespaces": True} if options.format == "jelly_rdf" else {}
        assert jvm.decode(data, options.format, **how) == read(data, asked)


@pytest.mark.parametrize("options", list(all_options(0)), ids=name_of)
def test_what_was_appended(jvm: JvmCodec, options: JellyOptions, tmp_path: Path) -> None:
    path = tmp_path / "appended"
    for seed in range(3):
        rows = rows_for(options, seed=seed)
        codec.write(path, rows, options=options, append=True)
    how = {"namespaces": True} if options.format == "jelly_rdf" else {}
    data = path.read_bytes()
    found = PYTHON.decode(data, options.format, **how)
    assert len(found) > len(rows)
    assert jvm.decode(data, options.format, **how) == found
