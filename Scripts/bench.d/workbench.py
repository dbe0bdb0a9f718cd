"""The common part of benches of whole phones: their hosts and a folder, start and end."""
import argparse, signal, subprocess, sys, tempfile
from phones import Offhook
from rig import Hosts, read

BOARD = "board/simulator.yaml"


class Workbench:
    """Its subclasses measure in `run`."""

    joined = True

    def __init__(self, options, hosts, folder):
        self.options, self.hosts, self.folder, self.phones = options, hosts, folder, []

    def make(self, program, index, hosts=None, **more):
        """A phone on one of the hosts, not yet started."""
        folder = f"{self.folder}/{program.name}-{len(self.phones)}"
        if issubclass(program, Offhook):
            more = {"program": self.options.phone, "board": BOARD, **more}
        phone = program(hosts or self.hosts, index, folder, self.options.wire, **more)
        self.phones.append(phone)
        return phone

    def dialogue(self):
        """The speech of both ends, spoken into the folder."""
        subprocess.run(["Scripts/speech", self.folder], check=True)
        return [read(f"{self.folder}/{name}.wav") for name in ("alice", "bob")]

    @staticmethod
    def add_options(parser):
        """Adds the options of a subclass."""

    @classmethod
    def live(cls):
        """Runs a bench from its options to its table. However it ends, its phones, hosts and folder end with it."""
        parser = argparse.ArgumentParser()
        parser.add_argument("--phone", required=True)
        parser.add_argument("--bench", required=True)
        parser.add_argument("--wire", required=True)
        parser.add_argument("--seed", type=int, default=1, help="seed for lost and late packets")
        parser.add_argument("--short", action="store_true")
        cls.add_options(parser)
        options = parser.parse_args()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        with Hosts(cls.joined) as hosts, tempfile.TemporaryDirectory(prefix="offhook-bench-") as folder:
            bench = cls(options, hosts, folder)
            try:
                bench.run()
            finally:
                for phone in bench.phones:
                    phone.stop()
