"""run.py ALICE BOB [SCENARIO…]: the scenarios, one JSON line each: {"name", "passed", "took", "why"}.

ALICE and BOB are ADDRESS,TOKEN,SIP-PORT of phones that know each other as 101 and 102, and 127.0.0.2 as a peer. In the folder
OFFHOOK_FAULTS, if that is set, the pages of a scenario that fails are kept as pictures. Ends with 0 if all passed.
"""
import json
import sys
import time
import traceback
from types import FunctionType

from playwright.sync_api import sync_playwright

import accounts
import backend
import calls
import hand
import lists
import looks
import setting_up
import troubles
import truth
from desk import Desk, Panel

# Setting up comes last: Alice has another account afterwards.
PARTS = (calls, lists, looks, hand, truth, troubles, accounts, backend, setting_up)


def panel(name, text):
    address, token, port = text.split(",")
    made = Panel(name, address, token)
    made.sip_port = int(port)
    return made


def own_scenarios():
    made = [one for part in PARTS for one in vars(part).values()
            if isinstance(one, FunctionType) and one.__module__ == part.__name__]
    return [one for one in made if one.__code__.co_varnames[:one.__code__.co_argcount] == ("desk",)]


def main():
    alice, bob, *wanted = sys.argv[1:]
    passed = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        desk = Desk(browser, panel("alice", alice), panel("bob", bob))
        for scenario in own_scenarios():
            if wanted and scenario.__name__ not in wanted:
                continue
            began, why = time.monotonic(), ""
            try:
                desk.rest()
                scenario(desk)
            except Exception:
                why = traceback.format_exc()[-3_000:]
            passed = passed and not why
            result = {"name": scenario.__name__, "passed": not why, "took": round(time.monotonic() - began, 1), "why": why}
            print(json.dumps(result), flush=True)
        desk.rest()
        browser.close()
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
