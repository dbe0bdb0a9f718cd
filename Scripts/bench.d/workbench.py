"""What benches of whole phones have in common: their hosts and a folder, and how they live and end."""
import argparse, shutil, signal, sys, tempfile
from phones import Offhook
from rig import Hosts

BOARD = "board/simulator.yaml"


class Workbench:
    """Measures by `run`, which its kinds have."""

    def __init__(self, options, joined=True):
        self.options, self.hosts = options, Hosts(joined)
        self.folder = tempfile.mkdtemp(prefix="offhook-bench-")
        self.made = 0

    def make(self, program, index, **more):
        """A phone on one of the hosts, not started yet."""
        self.made += 1
        folder = f"{self.folder}/{program.name}-{self.made}"
        if program is Offhook:
            return Offhook(self.hosts, index, folder, self.options.wire, self.options.phone, BOARD, **more)
        return program(self.hosts, index, folder, self.options.wire, **more)

    def close(self):
        self.hosts.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @classmethod
    def live(cls):
        """From the options to the table. Whoever ends it has its phones and hosts ended too."""
        parser = argparse.ArgumentParser()
        parser.add_argument("--phone", required=True)
        parser.add_argument("--wire", required=True)
        parser.add_argument("--seed", type=int, default=1, help="what chooses the packets that are lost and late")
        parser.add_argument("--short", action="store_true")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        bench = cls(parser.parse_args())
        try:
            bench.run()
        finally:
            bench.close()
