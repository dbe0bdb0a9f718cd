"""A link between two hosts that loses and delays voice packets, in the same way for every program on it."""
import ctypes, fcntl, heapq, multiprocessing, os, random, select, struct, time

TUNSETIFF, TUN_WITHOUT_HEADER = 0x400454CA, 0x1001
CLOCK, FIFO = time.CLOCK_MONOTONIC, os.SCHED_FIFO


class Trace:
    """The fate of the packets of one direction, by their number. A seed makes the same trace each time.

    Kinds: none; loss (share, each packet independently); bursts (share, in runs of three on average); jitter (± ms, not
    below 0); step (more ms, from a packet on)."""

    LONGEST = 20_000

    def __init__(self, kind, seed, *figures):
        dice = random.Random(f"{kind} {seed}")
        self.lost, self.delays = [False] * self.LONGEST, [0.0] * self.LONGEST
        if kind == "loss":
            self.lost = [dice.random() < figures[0] for _ in range(self.LONGEST)]
        elif kind == "bursts":
            leave, bad = 1 / 3, False
            enter = leave * figures[0] / (1 - figures[0])
            for index in range(self.LONGEST):
                bad = dice.random() >= leave if bad else dice.random() < enter
                self.lost[index] = bad
        elif kind == "jitter":
            middle, spread = figures
            self.delays = [max(0.0, dice.uniform(middle - spread, middle + spread)) for _ in range(self.LONGEST)]
        elif kind == "step":
            more, first = figures
            self.delays = [0.0 if index < first else more for index in range(self.LONGEST)]

    def percentile(self, share):
        return sorted(self.delays)[int(share * self.LONGEST)]

    def fate(self, index):
        """The delay in ms; None if the packet is lost."""
        index %= self.LONGEST
        return None if self.lost[index] else self.delays[index]


class Relay:
    """Joins the hosts with a tunnel device on each, and forwards packets between them in its own process."""

    def __init__(self, hosts, traces):
        self.counts = multiprocessing.Array("L", [0, 0, 0, 0], lock=False)
        ends = [hosts.within(index, lambda: self.device()) for index in (0, 1)]
        for name, address, other in zip(hosts.names, hosts.addresses, reversed(hosts.addresses)):
            hosts.ip("-n", name, "addr", "add", address, "peer", other, "dev", "wire")
            hosts.raise_wire(name)
        self.process = multiprocessing.get_context("fork").Process(
            target=carry, args=(ends, traces, self.counts), daemon=True)
        self.process.start()
        for end in ends:
            os.close(end)

    @staticmethod
    def device():
        descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", b"wire", TUN_WITHOUT_HEADER))
        return descriptor

    def passed(self, direction):
        """Voice packets that came in, and how many of them were lost."""
        return self.counts[2 * direction], self.counts[2 * direction + 1]

    def close(self):
        self.process.terminate()
        self.process.join()


def voice_number(packet, last):
    """The number of a voice packet in its stream, after the last one; None for any other packet."""
    if len(packet) < 40 or packet[0] >> 4 != 4 or packet[9] != 17:
        return None
    data = 4 * (packet[0] & 15) + 8
    if packet[data] >> 6 != 2 or 64 <= packet[data + 1] & 127 < 96:
        return None
    number, stream = struct.unpack_from("!H", packet, data + 2)[0], packet[data + 8:data + 12]
    if last is None or last[0] != stream:
        return stream, number, 0
    return stream, number, last[2] + ((number - last[1] + 0x8000) & 0xFFFF) - 0x8000


def carry(ends, traces, counts):
    """The loop of the relay's process. It has priority over the programs; otherwise it would be late itself."""
    os.sched_setscheduler(0, FIFO, os.sched_param(30))
    # By default the kernel may be 50 µs late with a timer. Ask for no slack.
    ctypes.CDLL(None).prctl(29, 1)
    poll, waiting, made, last = select.poll(), [], 0, [None, None]
    for end in ends:
        poll.register(end, select.POLLIN)
    while True:
        rest = max(0.0, (waiting[0][0] - time.clock_gettime(CLOCK)) * 1e3) if waiting else None
        # poll() counts whole milliseconds, so shorter waits sleep instead.
        if rest is not None and rest < 1:
            time.sleep(rest / 1e3)
            rest = 0
        for end, _ in poll.poll(rest if rest is None else int(rest)):
            direction = ends.index(end)
            packet = os.read(end, 65536)
            arrived, delay = time.clock_gettime(CLOCK), 0.0
            seen = voice_number(packet, last[direction])
            if seen is not None:
                last[direction] = seen
                counts[2 * direction] += 1
                delay = traces[direction].fate(seen[2])
                if delay is None:
                    counts[2 * direction + 1] += 1
                    continue
            made += 1
            heapq.heappush(waiting, (arrived + delay / 1e3, made, ends[1 - direction], packet))
        while waiting and waiting[0][0] <= time.clock_gettime(CLOCK):
            _, _, end, packet = heapq.heappop(waiting)
            os.write(end, packet)
