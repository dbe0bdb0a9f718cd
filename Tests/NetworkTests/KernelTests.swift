import Foundation
import Network
import PhoneCore
import Rig
import Synchronization
import Testing

/// The adapter and the kernel, on hosts that the test makes.
@Suite(.enabled(if: HostPair.isPossible, "needs root and iproute2"), .timeLimit(.minutes(5)))
struct KernelTests {
    /// The adapter's reports.
    private final class Ear: Sendable {
        let paths = Mutex<[NetworkPath]>([])
        let stirs = Atomic<Int>(0)
        let reports = Mutex<[String]>([])

        /// Waits for a path; nil: none came.
        func next() async throws -> NetworkPath? {
            for _ in 0..<500 {
                if let path = paths.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return path }
                try await Task.sleep(for: .milliseconds(10))
            }
            return nil
        }

        func network(_ listening: [String]) -> Network {
            Network(
                listening: listening,
                post: { [self] event in
                    guard case .path(let path) = event else { return }
                    paths.withLock { $0.append(path) }
                }, stirred: { [self] in stirs.add(1, ordering: .relaxed) },
                report: { [self] text in reports.withLock { $0.append(text) } })
        }
    }

    private let hosts: HostPair
    private let ear = Ear()

    init() throws { hosts = try HostPair() }

    /// A network that is watched on the first host.
    private func watched(_ listening: [String] = ["0.0.0.0"]) async throws -> Network {
        let network = ear.network(listening)
        try await hosts.first.inside { try network.start() }
        return network
    }

    private func on(_ words: String) throws {
        for command in words.split(separator: ";") {
            try hosts.run(hosts.first, command.split(separator: " ").map(String.init))
        }
    }

    @Test func cableGoesAndComesBack() async throws {
        let network = try await watched()
        #expect(try await ear.next() == NetworkPath(.wired, addresses: ["10.77.0.1"]))
        // The far end of the cable: here the link only loses its carrier.
        try hosts.on(hosts.second, "link", "set", "wire", "down")
        #expect(try await ear.next() == NetworkPath.none)
        try hosts.on(hosts.second, "link", "set", "wire", "up")
        #expect(try await ear.next() == NetworkPath(.wired, addresses: ["10.77.0.1"]))
        network.close()
        #expect(ear.reports.withLock { $0 }.isEmpty && ear.stirs.load(ordering: .relaxed) >= 3)
    }

    @Test func addressesAndRoutesChange() async throws {
        let network = try await watched(["0.0.0.0", "::"])
        #expect(try await ear.next()?.addresses == ["10.77.0.1"])
        try on("addr add fd77::1/64 dev wire nodad")
        #expect(try await ear.next()?.addresses == ["10.77.0.1", "fd77::1"], "a neighbour may have such an address")
        try on("addr add 10.77.0.9/24 dev wire;addr add 10.88.0.1/24 dev wire")
        try on("-6 addr change fd77::1/64 dev wire nodad preferred_lft 0")
        #expect(try await ear.next()?.addresses == ["10.77.0.1"], "it is deprecated, and there is a better path")
        try on("route replace default via 10.77.0.2 src 10.88.0.1")
        #expect(try await ear.next()?.addresses == ["10.88.0.1"], "the route says from where")
        network.close()
    }

    @Test func defaultRouteMovesToOtherLink() async throws {
        try on("link add spare type veth peer name spare netns \(hosts.second.namespace)")
        try on("addr add 10.78.0.1/24 dev spare;link set spare up")
        try hosts.on(hosts.second, "link", "set", "spare", "up")
        let network = try await watched()
        #expect(try await ear.next()?.addresses == ["10.77.0.1"])
        try on("route replace default via 10.78.0.2 dev spare")
        #expect(try await ear.next()?.addresses == ["10.78.0.1"])
        // Of two routes the kernel uses the one with the lower metric.
        try on("route replace default via 10.78.0.2 dev spare metric 200;route del default via 10.78.0.2 metric 0")
        try on("route add default via 10.77.0.2 dev wire metric 100")
        #expect(try await ear.next()?.addresses == ["10.77.0.1"])
        network.close()
    }

    /// Another host's changes, and repetitions, are not reported.
    @Test func changesBesidePathAreNotReported() async throws {
        let network = try await watched()
        #expect(try await ear.next()?.isUp == true)
        let before = ear.stirs.load(ordering: .relaxed)
        try on("route add 10.99.0.0/24 via 10.77.0.2")
        for _ in 0..<500 where ear.stirs.load(ordering: .relaxed) == before {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(ear.stirs.load(ordering: .relaxed) > before, "a line whose server is there has to know")
        #expect(ear.paths.withLock { $0 }.isEmpty)
        network.close()
    }

    /// More changes than the kernel queues lose messages, but the final state is right.
    @Test func floodOfChangesIsSurvived() async throws {
        let network = try await watched()
        #expect(try await ear.next()?.isUp == true)
        let flood = (0..<3_000).map { "route add 10.200.\($0 / 250).\($0 % 250)/32 via 10.77.0.2" }
        try hosts.batch(hosts.first, flood + ["addr flush dev wire", "addr add 10.79.0.1/24 dev wire"])
        var last: NetworkPath?
        while last?.addresses != ["10.79.0.1"] {
            let next = try await ear.next()
            let path: NetworkPath = try #require(next, "the last path was \(String(describing: last))")
            last = path
        }
        network.close()
        #expect(ear.reports.withLock { $0 }.isEmpty)
    }

    @Test func closingEndsThreadAtOnce() async throws {
        let network = try await watched()
        let began = ContinuousClock.now
        network.close()
        #expect(ContinuousClock.now - began < .seconds(1))
        network.close()
    }
}
