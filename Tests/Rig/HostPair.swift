import Bench
import Foundation
import Glibc

/// Two hosts on this machine with a link between them: network namespaces joined by a veth pair, removed with this.
///
/// baresip ignores the loopback interface, so a peer needs its own host. Needs root.
public final class HostPair {
    public struct Host {
        public let namespace: String
        public let address: String
        /// Words before a command that run it on this host.
        public var prefix: [String] { ["ip", "netns", "exec", namespace] }
    }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public static var isPossible: Bool {
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/ip")
    }

    public let first: Host
    public let second: Host

    public init() throws {
        let tag = "oh\(getpid())x\(UInt32.random(in: .min ... .max))"
        first = Host(namespace: tag + "a", address: "10.77.0.1")
        second = Host(namespace: tag + "b", address: "10.77.0.2")
        // One shell for all of it: a test may make dozens of pairs.
        var script = [first, second].map { "ip netns add \($0.namespace)" }
        script.append(
            "ip link add wire netns \(first.namespace) type veth peer name wire netns \(second.namespace)")
        for (host, other) in [(first, second), (second, first)] {
            let ip = "ip -n \(host.namespace)"
            script += [
                "\(ip) addr add \(host.address)/24 dev wire", "\(ip) link set lo up", "\(ip) link set wire up",
            ]
            // A program may use the address of its default route as its own.
            script.append("\(ip) route add default via \(other.address)")
        }
        try Self.run(["sh", "-ec", script.joined(separator: "\n")])
    }

    deinit {
        try? Self.run(["sh", "-c", [first, second].map { "ip netns del \($0.namespace)" }.joined(separator: "; ")])
    }

    /// Changes something about a host by `ip`: `on(hosts.first, "link", "set", "wire", "down")`.
    public func on(_ host: Host, _ arguments: String...) throws {
        try run(host, arguments)
    }

    /// The same with a list of words.
    public func run(_ host: Host, _ arguments: [String]) throws {
        try Self.run(["ip", "-n", host.namespace] + arguments)
    }

    /// Many changes by one `ip`, as fast as it can.
    public func batch(_ host: Host, _ lines: [String]) throws {
        let file = NSTemporaryDirectory() + "offhook-ip-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try lines.map { $0 + "\n" }.joined().write(toFile: file, atomically: true, encoding: .utf8)
        try Self.run(["ip", "-n", host.namespace, "-batch", file])
    }

    /// Waits until the kernel reports a carrier at both ends, which takes up to a second, and has checked their
    /// addresses (RFC 4862 §5.4), which takes another second. A phone that looks earlier sees its network change
    /// during the test, and a peer has no address to answer from.
    public func waitUntilUp() throws {
        let waits = [first, second].map { host in
            """
            until ip netns exec \(host.namespace) grep -qx up /sys/class/net/wire/operstate; do sleep 0.05; done
            while ip -n \(host.namespace) -6 addr show dev wire tentative | grep -q .; do sleep 0.05; done
            """
        }
        try Self.run(["sh", "-ec", waits.joined(separator: "\n")])
    }

    /// Another lease of the same network: the first host is at 10.77.0.9 from now on.
    public func readdressFirst() throws {
        try batch(
            first,
            [
                "addr del \(first.address)/24 dev wire", "addr add 10.77.0.9/24 dev wire",
                "route replace default via \(second.address)",
            ])
    }

    static func run(_ arguments: [String]) throws {
        let log = NSTemporaryDirectory() + "offhook-ip-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let child = try ChildProcess(arguments, log: log)
        guard child.wait(upTo: .seconds(10)) == .status(0) else {
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw Failure(description: "\(arguments.joined(separator: " ")): \(said)")
        }
    }
}
