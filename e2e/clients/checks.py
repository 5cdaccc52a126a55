"""Checks of a client suite: each prints a line, and `report` prints the summary and exits with 1 if a check failed."""

import asyncio
import inspect
import time
import traceback

checks = []


def check(function):
    checks.append(function)
    return function


def eventually(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError("not reached within %s s" % seconds)
        time.sleep(0.1)


async def run(suite):
    """Runs the checks in order; each is independent. Those that are coroutines share one event loop."""
    failed = 0
    for function in checks:
        try:
            result = function()
            if inspect.isawaitable(result):
                await result
            print("ok    " + function.__name__, flush=True)
        except Exception as e:
            failed += 1
            frames = [f for f in traceback.extract_tb(e.__traceback__) if f.name == function.__name__]
            line = frames[0].lineno if frames else "?"
            print("FAIL  %s (line %s): %s %s" % (function.__name__, line, type(e).__name__, " ".join(str(e).split())[:700]), flush=True)
    print("%s: %d passed, %d failed" % (suite, len(checks) - failed, failed))
    return failed > 0


def report(suite):
    raise SystemExit(asyncio.run(run(suite)))
