"""The common part of benches of whole phones: their hosts and a folder, start and end."""
import argparse, os, platform, signal, subprocess, sys, tempfile
from phones import Offhook
from rig import Hosts, read

BOARD = "board/simulator.yaml"
# The goal for the stripped binary, in MB.
BINARY_LIMIT = 20.0


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
    def processor_times(pairs):
        """Seconds of processor time of both ends of each pair so far."""
        return [near.process.cpu() + far.process.cpu() for near, far in pairs]

    def stripped_size(self):
        """MB of the phone's binary without symbols."""
        stripped = self.folder + "/stripped"
        subprocess.run(["strip", "-o", stripped, self.options.phone], check=True)
        return os.path.getsize(stripped) / 1e6

    @staticmethod
    def machine(theft):
        """The circumstances of a run: processors, kernel, load, the host's share since `theft` began, and baresip."""
        version = subprocess.run(
            ["dpkg-query", "-W", "-f=${Version}", "baresip-core"], capture_output=True, text=True).stdout
        return (f"{platform.machine()}, {os.cpu_count()} cores, {platform.release()}, load {os.getloadavg()[0]:.1f}, "
                f"{100 * theft.share():.1f} % of the processors taken by the host; baresip {version}")

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
