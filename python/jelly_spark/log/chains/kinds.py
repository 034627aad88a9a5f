"""What only one kind of chain can do, and why the others refuse it."""

from __future__ import annotations

from enum import Enum

from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.chains.chain import Chain
from jelly_spark.log.chains.folder import ManagedFolder, PatchFolder, ScannedFolder


class ManagedOnly(Enum):
    """What only a managed log can do: what follows for another folder, and for a Delta table."""

    SNAPSHOTS = (
        "it has no snapshots",
        "no snapshots, and its patches do not expire: write log.state_at() to a table, or keep the "
        "patches in a folder",
    )
    OPTIMIZE = ("nothing can be packed", "no files of its own: run Delta's OPTIMIZE")
    VACUUM = ("nothing is removed", "no files of its own: run Delta's VACUUM")


def managed(chain: Chain, work: ManagedOnly) -> ManagedFolder:
    """Return a chain as the managed log that it is.

    Args:
        chain: the chain as it is now.
        work: what is to be done with it.

    Raises:
        OptionError: it is not a managed log.
    """
    if isinstance(chain, ManagedFolder):
        return chain
    in_folder, in_table = work.value
    if isinstance(chain, PatchFolder):
        url = chain.files.url
        raise OptionError(f"{url} is not a managed log, so {in_folder}: call Log.adopt once")
    raise OptionError(f"a log in a Delta table has {in_table}")


def adoptable(chain: Chain) -> ScannedFolder:
    """Return a chain as the folder of other programs that it is.

    Args:
        chain: the chain as it is now.

    Raises:
        LogError: it is a managed log.
        OptionError: it is not a folder.
    """
    if isinstance(chain, ScannedFolder):
        return chain
    if isinstance(chain, PatchFolder):
        raise LogError(f"{chain.files.url} is a managed log already: append patches to it")
    raise OptionError("a log in a Delta table has no files of others to adopt: append them")
