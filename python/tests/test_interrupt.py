"""Ctrl-C, in processes of their own."""

import os
import signal
import subprocess
import sys
import time
import unittest

from common import SIX

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

DONE = "{} of {} positions are done: see its `results`"

ONE = f"""
import time, yose
print("begun", flush=True)
try:
    yose.solve(yose.Position.start(), hash="16MiB", {{}})
except KeyboardInterrupt as stop:
    print(time.time(), time.process_time(), type(stop).__name__, stop.results[0].stopped)
# The solver still works.
print(yose.solve({SIX!r}, hash="16MiB").score)
"""

# One of the two threads solves the small positions, the other one never ends.
LIST = f"""
import time, yose
def begun(progress):
    if progress.done == 3:
        print("begun", flush=True)
try:
    positions = [{SIX!r}] * 3 + [yose.Position.start()]
    yose.solve(positions, hash="16MiB", threads=2, progress=begun)
except KeyboardInterrupt as stop:
    print(time.time(), time.process_time(), stop.results.scores, stop)
    assert stop.results[3].stopped == "interrupted"
"""

# Not all of these positions are read before the signal.
LONG_LIST = f"""
import time, yose
print("begun", flush=True)
try:
    yose.solve([yose.Position.start()] * 9000, hash="16MiB")
except KeyboardInterrupt as stop:
    reasons = {{result.stopped for result in stop.results}}
    print(time.time(), time.process_time(), len(stop.results), reasons)
"""

READER = """
import time, yose
print("begun", flush=True)
try:
    list(yose.read("/dev/stdin"))
except KeyboardInterrupt:
    print(time.time(), time.process_time(), "read")
"""


def processor_time_of(process: "subprocess.Popen[str]") -> float:
    """The processor time that a process has used, in seconds; 0 where it cannot be read."""
    try:
        with open(f"/proc/{process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@unittest.skipIf(sys.platform == "win32", "NOT TESTED: signals differ on Windows")
class CtrlC(unittest.TestCase):
    def interrupted(self, program: str) -> list[str]:
        """Runs a program and sends SIGINT half a second after it has begun. Returns what it prints
        then. The search ends within half a second: if the machine has more to do than it can, this
        is of processor time. There are three tries."""
        for _ in range(3):
            delay, processor_time, lines = self.run_and_interrupt(program)
            is_busy = os.getloadavg()[0] > 2 * (os.cpu_count() or 1)
            if (processor_time if is_busy else delay) < 0.5:
                return lines
        self.fail(f"{delay} s, {processor_time} s of processor time")

    def run_and_interrupt(self, program: str) -> tuple[float, float, list[str]]:
        """The time from the signal to the first output after it, the processor time of the program
        in between, and the output."""
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if line != "begun\n":
                self.fail(f"{line}{process.communicate(timeout=60)}")
            time.sleep(0.5)
            sent, used = time.time(), processor_time_of(process)
            process.send_signal(signal.SIGINT)
            # `communicate` would close the input, which ends the reader of it.
            process.wait(60)
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
            process.wait()
        self.assertEqual((process.returncode, errors), (0, ""), output)
        received, used_then, lines = output.split(" ", 2)
        return float(received) - sent, float(used_then) - used, lines.splitlines()

    def test_one_position(self) -> None:
        for threads in ["threads=1", "threads=2"]:
            lines = self.interrupted(ONE.format(threads))
            self.assertEqual(lines, ["KeyboardInterrupt interrupted", "6"])

    def test_what_a_list_has_finished_is_not_lost(self) -> None:
        lines = self.interrupted(LIST)
        self.assertEqual(lines, [f"[6, 6, 6, None] {DONE.format(3, 4)}"])
        self.assertEqual(self.interrupted(LONG_LIST), ["9000 {'interrupted'}"])

    @unittest.skipUnless(os.path.exists("/dev/stdin"), "there is no /dev/stdin here")
    def test_a_reader_that_waits_for_a_writer(self) -> None:
        self.assertEqual(self.interrupted(READER), ["read"])

    def test_without_a_handler_the_process_ends_as_python_does(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-c", "import yose; print(flush=True); "
             "yose.solve(yose.Position.start(), hash='16MiB')"],
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertIn(f"KeyboardInterrupt: {DONE.format(0, 1)}", errors)


if __name__ == "__main__":
    unittest.main()
