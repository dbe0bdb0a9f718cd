"""verto_check.py [SCENARIO…]: calls the Verto server of this folder with a separate client and judges at both ends.

Prints a line for each scenario and ends with 0 if all passed. Takes fifty seconds.
"""
from __future__ import annotations

import asyncio
import sys
import time
import traceback

from vertocheck import accounts, calls, faults, past, peers

PARTS = (accounts, calls, faults, past, peers)


def scenarios() -> dict:
    return {
        name: one for part in PARTS for name, one in vars(part).items()
        if asyncio.iscoroutinefunction(one) and one.__module__ == part.__name__ and not name.startswith("_")}


async def main(wanted: list[str]) -> int:
    failed = 0
    for name, scenario in scenarios().items():
        if wanted and name not in wanted:
            continue
        began, why = time.monotonic(), ""
        try:
            await asyncio.wait_for(scenario(), 60)
        except Exception:
            why = "\n" + traceback.format_exc()
        failed += bool(why)
        print(f"{'FAILED' if why else 'passed'} {name} ({time.monotonic() - began:.1f} s){why}", flush=True)
    print(f"{failed} failed" if failed else "all passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
