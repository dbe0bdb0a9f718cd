import Bench
import Foundation
import Glibc

/// Two hosts on this machine with a wire between them: network namespaces joined by a veth pair, gone when this is.
///
/// baresip ignores the loopback interface, so a peer needs a host of its own. Needs root.
final class HostPair {
    struct Host {
        let namespace: String
        let address: String
        /// What to put before a command so that it runs on this host.
        var prefix: [String] { ["ip", "netns", "exec", namespace] }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static var isPossible: Bool {
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/sbin/ip")
    }

    let first: Host
    let second: Host

    init() throws {
        let tag = "oh\(getpid())x\(UInt16.random(in: .min ... .max))"
        first = Host(namespace: tag + "a", address: "10.77.0.1")
        second = Host(namespace: tag + "b", address: "10.77.0.2")
        for host in [first, second] { try Self.run("netns", "add", host.namespace) }
        try Self.run(
            "link", "add", "wire", "netns", first.namespace, "type", "veth", "peer", "name", "wire", "netns",
            second.namespace)
        for host in [first, second] {
            try Self.run("-n", host.namespace, "addr", "add", host.address + "/24", "dev", "wire")
            try Self.run("-n", host.namespace, "link", "set", "lo", "up")
            try Self.run("-n", host.namespace, "link", "set", "wire", "up")
        }
        // A program may take the address by which it would reach the rest of the world for its own.
        for (host, other) in [(first, second), (second, first)] {
            try Self.run("-n", host.namespace, "route", "add", "default", "via", other.address)
        }
    }

    deinit { for host in [first, second] { try? Self.run("netns", "del", host.namespace) } }

    private static func run(_ arguments: String...) throws {
        let log = NSTemporaryDirectory() + "offhook-ip-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let child = try ChildProcess(["ip"] + arguments, log: log)
        guard child.wait(upTo: .seconds(10)) == .status(0) else {
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw Failure(description: "ip \(arguments.joined(separator: " ")): \(said)")
        }
    }
}
