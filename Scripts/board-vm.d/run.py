"""run.py KERNEL IMAGE FOLDER SPEECH: boots two virtual boards on one cable and runs the scenario; prints each step and the
figures, as Markdown. Exits with 0 if all steps passed."""
import shutil
import socket
import sys
import time

from board import Board
from processor import SLOW, processor_time
from scenario import SPEECH, Scenario


def free_ports():
    """Two free UDP ports."""
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def main():
    kernel, image, folder, speech = sys.argv[1:]
    first, second = free_ports()
    one, other = Board(1, kernel, image, folder, (first, second)), Board(2, kernel, image, folder, (second, first))
    shutil.copy(speech, f"{folder}/speech.wav")
    scenario = Scenario(one, other, folder)
    began = time.monotonic()
    try:
        for board in (one, other):
            board.power_on()
        for board in (one, other):
            board.wait_until_up()
            board.store(speech, SPEECH)
        print("| step | seconds | what was seen |\n|---|---|---|", flush=True)
        for step in scenario.steps():
            at = time.monotonic()
            seen = step()
            print(f"| {step.__name__.replace('_', ' ')} | {time.monotonic() - at:.0f} | {seen} |", flush=True)
    except Exception as fault:
        print(f"\nboard-vm: {type(fault).__name__}: {fault}", file=sys.stderr)
        for board in (one, other):
            tell(board)
        raise
    finally:
        for board in (one, other):
            board.power_off()
    scenario.figures.update(processor_time(Board(3, kernel, image, folder, (first, second), SLOW), speech, folder))
    print("\n| figure | |\n|---|---|")
    for name, value in scenario.figures.items():
        print(f"| {name} | {value} |")
    print(f"\nAll of it took {(time.monotonic() - began) / 60:.1f} minutes.")


def tell(board):
    try:
        told = board.sh("journalctl -b --no-pager -u offhook | tail -30; tail -n 40 /run/events || true", 20)
        print(f"\n{board.name}:\n{told}", file=sys.stderr)
    except Exception as fault:
        print(f"{board.name} tells nothing: {fault}", file=sys.stderr)


main()
