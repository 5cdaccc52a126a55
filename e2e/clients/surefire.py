"""Prints the failed tests of Surefire's reports and the line `NAME: N passed, M failed`. Usage: surefire.py NAME DIR"""

import pathlib
import sys
import xml.etree.ElementTree as Tree

name, passed, failed = sys.argv[1], 0, 0
for report in sorted(pathlib.Path(sys.argv[2]).glob("TEST-*.xml")):
    for case in Tree.parse(report).getroot().iter("testcase"):
        problem = next((e for e in case if e.tag in ("failure", "error")), None)
        if problem is not None:
            failed += 1
            print("FAIL  %s: %s" % (case.get("name"), " ".join((problem.get("message") or problem.text or "").split())[:600]))
        elif case.find("skipped") is None:
            passed += 1
            print("ok    " + case.get("name"))
print("%s: %d passed, %d failed" % (name, passed, failed or (passed == 0)))
raise SystemExit(failed > 0 or passed == 0)
