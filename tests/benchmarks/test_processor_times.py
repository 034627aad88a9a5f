"""Processor times of a process, and of its threads that are named like those of Spark's tasks."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from benchmarks.running.processor_times import of_processes, of_task_threads, spent

# For each line on standard input, the threads work: one as Spark's do, and one that then ends; and
# so does a process that then ends.
PROGRAM = """
import queue, subprocess, sys, threading, time

def work():
    end = time.thread_time() + 0.2
    while time.thread_time() < end:
        pass

def serve():
    with open(f"/proc/self/task/{threading.get_native_id()}/comm", "w") as name:
        name.write("Executor task launch worker")
    while True:
        asked.get()
        work()
        asked.task_done()

asked = queue.Queue()
threading.Thread(target=serve, daemon=True).start()
for _ in sys.stdin:
    asked.put(None)
    other = threading.Thread(target=work)
    other.start()
    other.join()
    subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.2: pass"])
    asked.join()
    print(flush=True)
"""


@pytest.fixture
def process() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as found:
        yield found
        assert found.stdin is not None
        found.stdin.close()


def test_times(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None and process.stdout is not None
    for _ in range(2):
        all_before, tasks_before = of_processes(process.pid), of_task_threads(process.pid)
        print(file=process.stdin, flush=True)
        process.stdout.readline()
        tasks = spent(tasks_before, of_task_threads(process.pid))
        assert 0.2 <= tasks < 0.3
        assert 0.55 < of_processes(process.pid) - all_before < 0.9
    assert len(of_task_threads(process.pid)) == 1


def test_threads_that_come_and_go() -> None:
    assert spent({1: 5.0, 2: 7.0}, {2: 7.5, 3: 0.25}) == 0.75
