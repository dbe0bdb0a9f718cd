"""The base of the benchmark: two hosts, sound cards made of files, and processes watched from outside."""
import array, ctypes, json, mmap, os, signal, socket, statistics, subprocess, time, wave

RATE, RING = 48000, 1 << 19
libc = ctypes.CDLL(None, use_errno=True)


def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class Hosts:
    """Two network namespaces, joined by a veth pair unless another part joins them. Further pairs have a name."""

    def __init__(self, joined=True, name=""):
        tag = f"ohb{os.getpid()}{name}"
        self.names = [tag + "a", tag + "b"]
        self.addresses = ["10.77.1.1", "10.77.1.2"]
        self.joined = joined

    def __enter__(self):
        try:
            for name in self.names:
                self.ip("netns", "add", name)
                self.ip("-n", name, "link", "set", "lo", "up")
            if self.joined:
                self.join()
        except BaseException:
            self.__exit__()
            raise
        return self

    def join(self):
        self.ip("link", "add", "wire", "netns", self.names[0], "type", "veth", "peer", "name", "wire",
                "netns", self.names[1])
        for name, address in zip(self.names, self.addresses):
            self.ip("-n", name, "addr", "add", address + "/24", "dev", "wire")
            self.raise_wire(name)

    def raise_wire(self, name):
        """Adds a default route. A program that asks for it learns its own address."""
        self.ip("-n", name, "link", "set", "wire", "up")
        self.ip("-n", name, "route", "add", "default", "dev", "wire")

    def ip(self, *words):
        subprocess.run(["ip", *words], check=True, capture_output=True)

    def enter(self, index):
        """Moves the calling thread to a host."""
        with open("/run/netns/" + self.names[index]) as namespace:
            if libc.setns(namespace.fileno(), 0x40000000) != 0:
                raise OSError(ctypes.get_errno(), "setns")

    def within(self, index, body):
        with open("/proc/thread-self/ns/net") as home:
            self.enter(index)
            try:
                return body()
            finally:
                libc.setns(home.fileno(), 0x40000000)

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


class Wire:
    """One direction of a sound card (Tests/Wire), addressed by the frame that sounds."""

    def __init__(self, path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.ftruncate(descriptor, RING * 4)
        self.cells = memoryview(mmap.mmap(descriptor, RING * 4)).cast("I")
        os.close(descriptor)

    @staticmethod
    def frame():
        return now() * RATE // 1_000_000_000

    def say(self, samples, start):
        index, end = start, start + len(samples)
        while index < end:
            tag, place = ((index // RING) & 0xFFFF) << 16, index % RING
            count = min(end - index, RING - place)
            words = array.array("I", [sample & 0xFFFF | tag for sample in samples[index - start:index - start + count]])
            self.cells[place:place + count] = memoryview(words)
            index += count

    def heard(self, start, count):
        out = array.array("h", bytes(2 * count))
        for offset in range(count):
            index = start + offset
            cell = self.cells[index % RING]
            if cell >> 16 == (index // RING) & 0xFFFF:
                value = cell & 0xFFFF
                out[offset] = value - 0x10000 if value & 0x8000 else value
        return out


class Process:
    """A program on a host, started without a shell so that its start can be timed."""

    def __init__(self, words, hosts, index, log, environment):
        # Shared with the child, which notes the time of its exec: the fork of this large process does not count.
        noted = mmap.mmap(-1, 8)

        def prepare():
            hosts.enter(index)
            noted[:] = now().to_bytes(8, "little")

        self.child = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT,
            env={**os.environ, **environment}, preexec_fn=prepare)
        self.pid, self.started = self.child.pid, int.from_bytes(noted[:], "little")
        noted.close()

    def memory(self):
        """Resident and anonymous memory in kB."""
        figures = {}
        with open(f"/proc/{self.pid}/smaps_rollup") as file:
            for line in file:
                words = line.split()
                if words[0] in ("Rss:", "Anonymous:"):
                    figures[words[0][:-1]] = int(words[1])
        return figures

    def cpu(self):
        """Seconds of processor time of all its threads so far."""
        total = 0
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def stop(self):
        self.child.send_signal(signal.SIGTERM)
        try:
            self.child.wait(4)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


class Theft:
    """The processor time that the host of a virtual machine took since this was made."""

    def __init__(self):
        self.before = self.read()

    @staticmethod
    def read():
        """Stolen time, and all time, of all processors (proc_stat(5))."""
        with open("/proc/stat") as file:
            figures = [int(word) for word in file.readline().split()[1:9]]
        return figures[7], sum(figures)

    def share(self):
        stolen, passed = (now - before for now, before in zip(self.read(), self.before))
        return stolen / max(1, passed)


class Sniffer:
    """Captures the packets that leave and reach a host, with the kernel's times."""

    def __init__(self, hosts, index):
        self.socket = hosts.within(index, lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)))
        self.socket.settimeout(0.2)

    def forget(self):
        """Drops packets captured before now."""
        self.socket.setblocking(False)
        try:
            while True:
                self.socket.recv(65536)
        except BlockingIOError:
            self.socket.settimeout(0.2)

    def wait_for(self, *parts, limit=10):
        """The instant of a packet that contains all of these bytes."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            try:
                packet = self.socket.recv(65536)
            except socket.timeout:
                continue
            if all(part in packet for part in parts):
                return now()
        raise TimeoutError(f"no {parts!r} on the wire")

    def close(self):
        self.socket.close()


def connect(path, limit=10):
    end = time.monotonic() + limit
    while True:
        try:
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(path)
            return peer
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.005)


class Lines:
    """Newline-delimited JSON."""

    def __init__(self, peer):
        self.peer, self.rest = peer, b""

    def send(self, message):
        self.peer.sendall(json.dumps(message).encode() + b"\n")

    def next(self, limit):
        end = time.monotonic() + limit
        while b"\n" not in self.rest:
            self.peer.settimeout(max(0.001, end - time.monotonic()))
            data = self.peer.recv(65536)
            if not data:
                raise EOFError("closed")
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)


def median(values):
    return statistics.median(values) if values else float("nan")


def read(path):
    with wave.open(path) as file:
        return array.array("h", file.readframes(file.getnframes()))


def write(path, samples):
    with wave.open(path, "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(samples.tobytes())


def compare(bench, folder, said, heard):
    """The result of `offhook-bench compare`; None if it finds nothing of the spoken sound."""
    write(folder + "/said.wav", said), write(folder + "/heard.wav", heard)
    result = subprocess.run(
        [bench, "compare", folder + "/said.wav", folder + "/heard.wav"], capture_output=True, text=True)
    return json.loads(result.stdout) if result.returncode == 0 else None
