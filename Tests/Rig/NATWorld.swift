import Bench
import Foundation
import Glibc

/// Two homes behind NATs of the kernel (nftables), and a server in the network between them: network namespaces,
/// removed with this. Needs root.
public final class NATWorld {
    /// A NAT's choice of outer ports (RFC 4787 §4.1).
    public enum Mapping: String, Sendable, CaseIterable {
        /// The same port for every receiver, as long as it is free.
        case endpointIndependent
        /// Another port for each receiver (symmetric).
        case portDependent
    }

    public static var isPossible: Bool {
        HostPair.isPossible && FileManager.default.isExecutableFile(atPath: "/usr/sbin/nft")
    }

    /// The host of servers.
    public let server: HostPair.Host
    /// Two hosts, each behind a separate NAT.
    public let homes: [HostPair.Host]
    private let namespaces: [String]

    public init(_ first: Mapping, _ second: Mapping) throws {
        let tag = "oh\(getpid())n\(UInt32.random(in: .min ... .max))"
        server = .init(namespace: tag + "s", address: "203.0.113.100")
        homes = (1...2).map { .init(namespace: tag + "h\($0)", address: "192.168.\($0).2") }
        namespaces = [server.namespace] + homes.map(\.namespace) + ["\(tag)r1", "\(tag)r2"]
        var script = namespaces.map { "ip netns add \($0); ip -n \($0) link set lo up" }
        script.append("ip -n \(server.namespace) addr add \(server.address)/32 dev lo")
        // Packets to private addresses are dropped, as on the Internet: a server whose send fails may give up more
        // than that (coturn 4.6).
        script.append("ip -n \(server.namespace) route add default dev lo")
        script.append("ip netns exec \(server.namespace) sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'")
        for (place, mapping) in [first, second].enumerated() {
            script += Self.home(place + 1, tag, mapping)
        }
        try HostPair.run(["sh", "-ec", script.joined(separator: "\n")])
    }

    deinit {
        try? HostPair.run(["sh", "-c", namespaces.map { "ip netns del \($0)" }.joined(separator: "; ")])
    }

    private static func home(_ number: Int, _ tag: String, _ mapping: Mapping) -> [String] {
        let (home, router, server) = ("\(tag)h\(number)", "\(tag)r\(number)", "\(tag)s")
        // If possible, the kernel keeps the port.
        let manner = mapping == .portDependent ? " fully-random" : ""
        let (outside, gateway) = ("203.0.113.\(4 * number + 2)", "203.0.113.\(4 * number + 1)")
        return [
            "ip link add inner netns \(router) type veth peer name wire netns \(home)",
            "ip link add outer netns \(router) type veth peer name home\(number) netns \(server)",
            "ip -n \(home) addr add 192.168.\(number).2/24 dev wire",
            "ip -n \(router) addr add 192.168.\(number).1/24 dev inner",
            "ip -n \(router) addr add \(outside)/30 dev outer",
            "ip -n \(server) addr add \(gateway)/30 dev home\(number)",
            "ip -n \(home) link set wire up", "ip -n \(router) link set inner up",
            "ip -n \(router) link set outer up", "ip -n \(server) link set home\(number) up",
            "ip -n \(home) route add default via 192.168.\(number).1",
            "ip -n \(router) route add default via \(gateway)",
            "ip netns exec \(router) sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'",
            // Unsolicited packets are dropped before they take a port of the NAT.
            """
            ip netns exec \(router) nft -f - <<'END'
            table ip nat {
              chain post {
                type nat hook postrouting priority 100;
                oifname "outer" masquerade\(manner)
              }
            }
            table ip guard {
              chain input {
                type filter hook input priority 0;
                iifname "outer" ct state new drop
              }
              chain forward {
                type filter hook forward priority 0;
                iifname "outer" ct state new drop
              }
            }
            END
            """,
        ]
    }
}
