"""Two homes, each behind a symmetric NAT of the kernel, a slow path between them, and servers on it: coturn, which relays
voice, and Kamailio, which does not. (Tests/Rig/NATWorld has the same without the delay.)"""
import collections, ctypes, fcntl, multiprocessing, os, select, struct, subprocess, time
from relay import CLOCK, FIFO, TUNSETIFF, TUN_WITHOUT_HEADER
from rig import Hosts, Process

SERVER, PASSWORD = "203.0.113.100", "relay-this"
# A NAT with another outside port for each receiver, which lets in only answers.
FIREWALL = """table ip nat {
  chain post { type nat hook postrouting priority 100; oifname "outer" masquerade fully-random; }
}
table ip guard {
  chain input { type filter hook input priority 0; iifname "outer" ct state new drop; }
  chain forward { type filter hook forward priority 0; iifname "outer" ct state new drop; }
}
"""
KAMAILIO = """#!KAMAILIO
debug=1
log_stderror=yes
children=1
tcp_children=1
exit_timeout=1
auto_aliases=no
loadmodule "tm.so"
loadmodule "tmx.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "siputils.so"
loadmodule "textops.so"
listen=udp:ADDRESS:5060
listen=tcp:ADDRESS:5060
loadmodule "nathelper.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
modparam("nathelper|registrar", "received_avp", "$avp(RECEIVED)")
request_route {
    if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } exit; }
    force_rport();
    if (is_method("REGISTER")) { fix_nated_register(); save("location"); exit; }
    set_contact_alias();
    if (has_totag()) {
        if (loose_route()) { handle_ruri_alias(); t_on_reply("PHONE"); t_relay(); exit; }
        if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
        sl_send_reply("404", "Not Here");
        exit;
    }
    record_route();
    if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
    t_on_reply("PHONE");
    t_relay();
}
onreply_route[PHONE] { set_contact_alias(); }
"""


def device(name):
    """A tunnel on the calling thread's host."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", name.encode(), TUN_WITHOUT_HEADER))
    return descriptor


def carry_late(pairs, delay):
    """The loop of a process that forwards packets between the two ends of each pair, with this delay in seconds. Debian's
    kernel could do it (netem), but the kernels of many virtual machines cannot."""
    os.sched_setscheduler(0, FIFO, os.sched_param(30))
    # By default the kernel may be 50 µs late with a timer. Ask for no slack.
    ctypes.CDLL(None).prctl(29, 1)
    poll, others, waiting = select.poll(), {}, collections.deque()
    for one, other in pairs:
        others[one], others[other] = other, one
        poll.register(one, select.POLLIN), poll.register(other, select.POLLIN)
    while True:
        rest = max(0.0, (waiting[0][0] - time.clock_gettime(CLOCK)) * 1e3) if waiting else None
        # poll() counts whole milliseconds, so shorter waits sleep instead.
        if rest is not None and rest < 1:
            time.sleep(rest / 1e3)
            rest = 0
        for end, _ in poll.poll(rest if rest is None else int(rest)):
            waiting.append((time.clock_gettime(CLOCK) + delay, others[end], os.read(end, 65536)))
        while waiting and waiting[0][0] <= time.clock_gettime(CLOCK):
            _, end, packet = waiting.popleft()
            os.write(end, packet)


class Service:
    """A server on a host."""

    def __init__(self, hosts, index, words, log, is_up):
        self.log = open(log, "ab")
        self.process = Process(words, hosts, index, self.log, {})
        end = time.monotonic() + 10
        while not is_up(self.process.pid, log):
            if time.monotonic() > end or self.process.child.poll() is not None:
                with open(log) as file:
                    raise RuntimeError(f"{words[0]} did not come up: {file.read()[-2000:]}")
            time.sleep(0.02)

    def stop(self):
        self.process.stop()
        self.log.close()


def kamailio(hosts, index, address, folder):
    """A server that accepts every registration, over UDP and TCP."""
    os.makedirs(folder)
    with open(folder + "/kamailio.cfg", "w") as file:
        file.write(KAMAILIO.replace("ADDRESS", address))
    words = ["kamailio", "-DD", "-E", "-m", "32", "-M", "8", "-f", folder + "/kamailio.cfg", "-Y", folder,
             "-P", folder + "/pid"]
    return Service(hosts, index, words, folder + "/log", is_at_5060)


def is_at_5060(pid, _):
    """5060 is 13C4."""
    def table(name):
        with open(f"/proc/{pid}/net/{name}") as file:
            return file.read()
    return ":13C4 " in table("udp") and ":13C4 " in table("tcp")


def coturn(hosts, index, address, folder):
    os.makedirs(folder)
    words = ["turnserver", "-n", "--verbose", "--no-cli", "--no-tls", "--no-dtls", "--no-software-attribute",
             "--log-file=stdout", f"--listening-ip={address}", f"--relay-ip={address}", "--lt-cred-mech",
             "--realm=example.org", f"--user=phone:{PASSWORD}", f"--pidfile={folder}/pid", "--min-port=40000",
             "--max-port=40999", f"--db={folder}/db"]

    def says_so(_, log):
        with open(log) as file:
            return "IPv4. UDP listener opened" in file.read()
    return Service(hosts, index, words, folder + "/log", says_so)


class NATWorld(Hosts):
    """Hosts 0 and 1 are the homes, host 2 has the servers.

    - Parameter delay: seconds for a packet from a home to the server, and for one back."""

    def __init__(self, delay):
        super().__init__()
        tag = f"ohn{os.getpid()}"
        self.names = [tag + "a", tag + "b", tag + "s", tag + "ra", tag + "rb"]
        self.addresses, self.delay, self.process = ["192.168.1.2", "192.168.2.2", SERVER], delay, None

    def join(self):
        server = self.names[2]
        self.ip("-n", server, "addr", "add", SERVER + "/32", "dev", "lo")
        # Packets to private addresses are lost, as on the internet. If sending fails instead, coturn 4.6 gives up too
        # much.
        self.ip("-n", server, "route", "add", "default", "dev", "lo")
        pairs = [self.home(number) for number in (1, 2)]
        for index in (2, 3, 4):
            self.within(index, lambda: open("/proc/sys/net/ipv4/ip_forward", "w").write("1\n"))
        self.process = multiprocessing.get_context("fork").Process(
            target=carry_late, args=(pairs, self.delay), daemon=True)
        self.process.start()
        for end in sum(pairs, ()):
            os.close(end)

    def home(self, number):
        """A home and its router. Returns the two ends of the path between router and server."""
        home, router, server = self.names[number - 1], self.names[number + 2], self.names[2]
        outside, gateway, inside = f"203.0.113.{4 * number + 2}", f"203.0.113.{4 * number + 1}", f"192.168.{number}"
        self.ip("link", "add", "inner", "netns", router, "type", "veth", "peer", "name", "wire", "netns", home)
        ends = self.within(number + 2, lambda: device("outer")), self.within(2, lambda: device(f"home{number}"))
        for name, address, link in (
                (home, inside + ".2/24", "wire"), (router, inside + ".1/24", "inner"),
                (router, outside + "/30", "outer"), (server, gateway + "/30", f"home{number}")):
            self.ip("-n", name, "addr", "add", address, "dev", link)
            self.ip("-n", name, "link", "set", link, "up")
        self.ip("-n", home, "route", "add", "default", "via", inside + ".1")
        self.ip("-n", router, "route", "add", "default", "via", gateway)
        self.within(number + 2, lambda: subprocess.run(["nft", "-f", "-"], input=FIREWALL, text=True, check=True))
        return ends

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.join()
        super().__exit__()
