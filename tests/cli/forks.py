"""A command that starts fast: each is a fork of a process that has imported the command.

    python -m tests.cli.forks SOCKET            # says `ready`, and serves until it is killed
    python -S tests/cli/forks.py SOCKET ARGS    # as `python -m jelly_spark.cli ARGS`

The transcripts run hundreds of commands, each of which would take longer to start than to run.
"""

from __future__ import annotations

import json
import os
import socket
import sys

_FIRST_FREE = 64
"""No command of the transcripts has a file descriptor with this number, or a higher one."""


def _serve(path: str) -> None:
    import fcntl
    import signal
    from typing import Any

    from jelly_spark.cli.app import run

    # So that no handler becomes a zombie.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("ready", flush=True)
        while True:
            connection, _ = listener.accept()
            if os.fork() == 0:
                break
            connection.close()
        listener.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request, files, _, _ = socket.recv_fds(connection, 1 << 20, _FIRST_FREE)
    arguments, folder, variables, numbers = json.loads(request)
    process = os.fork()
    if process:
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        connection.sendall(bytes([status]))
        os._exit(0)
    # Its number is free for files of the command, which must not be closed with it.
    connection.detach()
    moved = [fcntl.fcntl(file, fcntl.F_DUPFD, _FIRST_FREE) for file in files]
    os.closerange(0, _FIRST_FREE)
    for number, file in zip(numbers, moved, strict=True):
        os.dup2(file, number)
    os.closerange(_FIRST_FREE, max(moved) + 1)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    sys.argv[1:] = arguments
    # Those of the process know whether its own files were terminals, or can seek.
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        errors = "backslashreplace" if name == "stderr" else "surrogateescape"
        stream: Any = os.fdopen(number, "w" if number else "r", encoding="utf-8", errors=errors)
        stream.buffer.raw.name = f"<{name}>"
        setattr(sys, name, stream)
    run()


def _ask(path: str, arguments: list[str]) -> int:
    found = [int(name) for name in os.listdir("/dev/fd")]
    numbers = [number for number in found if number < _FIRST_FREE and _is_open(number)]
    request = json.dumps([arguments, os.getcwd(), dict(os.environ), numbers]).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        socket.send_fds(connection, [request], numbers)
        return connection.recv(1)[0]


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    socket_path, *rest = sys.argv[1:]
    if __package__:
        _serve(socket_path)
    else:
        sys.exit(_ask(socket_path, rest))
