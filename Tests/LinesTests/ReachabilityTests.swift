import Base
import LineCore
import Lines
import NIOCore
import Network
import Rig
import SDPCore
import SIPCore
import Synchronization
import Testing

/// Outages of the phone's host's network, and their repairs.
enum Outage: CaseIterable, CustomTestStringConvertible {
    case linkDown3, linkDown15, linkDown40
    /// The far end of the link goes down: this machine keeps its addresses and routes, and sends into nothing.
    case cableOut15, cableOut40
    case addressMoved, addressAway, routesFlushed

    var length: Duration {
        switch self {
        // The other address is there at once.
        case .addressMoved: .zero
        case .linkDown3, .addressAway, .routesFlushed: .seconds(3)
        case .linkDown15, .cableOut15: .seconds(15)
        case .linkDown40, .cableOut40: .seconds(40)
        }
    }

    var testDescription: String { "\(self)" }

    func begin(_ hosts: HostPair, _ family: Family) throws {
        switch self {
        case .linkDown3, .linkDown15, .linkDown40: try hosts.on(hosts.first, "link", "set", "wire", "down")
        case .cableOut15, .cableOut40: try hosts.on(hosts.second, "link", "set", "wire", "down")
        case .addressMoved, .addressAway:
            try hosts.on(hosts.first, "addr", "del", family.first + family.prefix, "dev", "wire")
            try hosts.on(hosts.first, "addr", "add", family.other + family.prefix, "dev", "wire", "nodad")
        case .routesFlushed: try hosts.on(hosts.first, family.flag, "route", "flush", "dev", "wire")
        }
    }

    func end(_ hosts: HostPair, _ family: Family) throws {
        switch self {
        case .linkDown3, .linkDown15, .linkDown40:
            try hosts.on(hosts.first, "link", "set", "wire", "up")
            // IPv6 forgets its addresses with the link.
            try? hosts.on(hosts.first, "addr", "add", family.first + family.prefix, "dev", "wire", "nodad")
        case .cableOut15, .cableOut40:
            try hosts.on(hosts.second, "link", "set", "wire", "up")
            try? hosts.on(hosts.second, "addr", "add", family.second + family.prefix, "dev", "wire", "nodad")
        case .addressMoved: break
        case .addressAway:
            try hosts.on(hosts.first, "addr", "del", family.other + family.prefix, "dev", "wire")
            try hosts.on(hosts.first, "addr", "add", family.first + family.prefix, "dev", "wire", "nodad")
        case .routesFlushed: try hosts.on(hosts.first, family.flag, "route", "add", family.network, "dev", "wire")
        }
    }
}

enum Family {
    case four, six

    var flag: String { self == .four ? "-4" : "-6" }
    var prefix: String { self == .four ? "/24" : "/64" }
    var network: String { self == .four ? "10.77.0.0/24" : "fd77::/64" }
    var first: String { self == .four ? "10.77.0.1" : "fd77::1" }
    var second: String { self == .four ? "10.77.0.2" : "fd77::2" }
    var other: String { self == .four ? "10.77.0.9" : "fd77::9" }
}

/// The phone's listening addresses, as `sip.address` allows.
enum Listening: CaseIterable, CustomTestStringConvertible {
    case allOfFour, all, allOfSix, one

    var family: Family { self == .allOfSix ? .six : .four }
    var addresses: [String] {
        switch self {
        case .allOfFour: ["0.0.0.0"]
        case .all: ["0.0.0.0", "::"]
        case .allOfSix: ["::"]
        case .one: ["10.77.0.1"]
        }
    }

    var testDescription: String { addresses.joined(separator: " and ") }
}

struct Condition: CustomTestStringConvertible, Sendable {
    let listening: Listening
    let outage: Outage
    let transport: Flow.Transport
    let isInCall: Bool

    var testDescription: String {
        "\(listening.testDescription), \(outage), \(transport.name), \(isInCall ? "in a call" : "at rest")"
    }

    private static let everyOutage = Outage.allCases.flatMap { outage in
        Listening.allCases.map { Condition(listening: $0, outage: outage, transport: .udp, isInCall: true) }
            + [
                Condition(listening: .allOfFour, outage: outage, transport: .udp, isInCall: false),
                Condition(listening: .one, outage: outage, transport: .udp, isInCall: false),
                Condition(listening: .allOfFour, outage: outage, transport: .tcp, isInCall: false),
            ]
    }

    /// The effect on a socket does not depend on the number of addresses, nor on a connection's protection: one outage
    /// of each kind is enough.
    private static let eachKind = [Outage.linkDown15, .cableOut40, .addressMoved, .routesFlushed].flatMap { outage in
        [
            Condition(listening: .all, outage: outage, transport: .udp, isInCall: false),
            Condition(listening: .allOfSix, outage: outage, transport: .udp, isInCall: false),
            Condition(listening: .allOfFour, outage: outage, transport: .tcp, isInCall: true),
            Condition(listening: .one, outage: outage, transport: .tls, isInCall: false),
            Condition(listening: .allOfSix, outage: outage, transport: .tls, isInCall: false),
            Condition(listening: .allOfFour, outage: outage, transport: .tls, isInCall: true),
        ]
    }

    // A line that is bound to one address has no other.
    static let all = (everyOutage + eachKind).filter { $0.outage != .addressMoved || $0.listening != .one }

    static let watched = [Outage.linkDown15, .cableOut15, .addressMoved, .addressAway, .routesFlushed].map {
        Condition(listening: .allOfFour, outage: $0, transport: .udp, isInCall: false)
    }
}

@Suite(
    "Lines whose network goes and comes", .enabled(if: HostPair.isPossible, "needs root and iproute2"),
    .timeLimit(.minutes(5)))
struct ReachabilityTests {
    /// The same for every condition, each on separate hosts, all in parallel.
    @Test("the server has the line again within five seconds after the outage", arguments: Condition.all)
    func serverHasLineAgainWithinFiveSecondsAfterOutage(condition: Condition) async throws {
        let absence = try await absence(condition)
        #expect(absence < .seconds(5))
    }

    /// Alone it takes a second and a half at most; beside a hundred others each has its turn a little later.
    @Test("with kernel notifications it is faster", arguments: Condition.watched)
    func withKernelNotificationsItIsFaster(condition: Condition) async throws {
        let absence = try await absence(condition, isWatched: true)
        #expect(absence < .seconds(2.5))
    }

    /// The time from the repair until the server has the line again.
    private func absence(_ condition: Condition, isWatched: Bool = false) async throws -> Duration {
        let scene = try await Scene(condition)
        let network = isWatched ? try await scene.watch() : nil
        if condition.isInCall { try await scene.beginCall() }
        // The line may register before the last repair command has returned. If another address is there at once, the
        // commands that begin the outage also repair it.
        let beginning = Instant.monotonic
        try condition.outage.begin(scene.hosts, condition.listening.family)
        try await Task.sleep(for: condition.outage.length)
        let isMoved = condition.outage == .addressMoved
        let mending = isMoved ? beginning : .monotonic
        try condition.outage.end(scene.hosts, condition.listening.family)
        let back = Instant.monotonic
        let known = try await scene.registrar.registered(
            after: mending, from: isMoved ? condition.listening.family.other : "")
        if condition.isInCall { try await scene.endCall() }
        network?.close()
        try await scene.close()
        return known - back
    }

    @Test("after a suspend the line registers again on an unchanged network")
    func afterSuspendLineRegistersAgainOnUnchangedNetwork() async throws {
        let condition = Condition(listening: .allOfFour, outage: .cableOut15, transport: .udp, isInCall: false)
        let slept = Atomic<Int>(0)
        let scene = try await Scene(condition) { .seconds(slept.load(ordering: .relaxed)) }
        let network = try await scene.watch()
        let awake = Instant.monotonic
        slept.store(3_600, ordering: .relaxed)
        // The changes of a waking link, in less than the time after which the path would be another one.
        try scene.hosts.on(scene.hosts.first, "route", "add", "10.99.0.0/24", "via", "10.77.0.2")
        #expect(try await scene.registrar.registered(after: awake) - awake < .seconds(1.5))
        network.close()
        try await scene.close()
    }

    @Test(
        "a line waits for its missing address, reports it, and registers later",
        arguments: [false, true])
    func lineWaitsForItsMissingAddressReportsItAndRegistersLater(_ isWatched: Bool) async throws {
        let condition = Condition(listening: .one, outage: .addressAway, transport: .udp, isInCall: false)
        let hosts = try HostPair()
        try hosts.on(hosts.first, "addr", "del", "10.77.0.1/24", "dev", "wire")
        let scene = try await Scene(condition, hosts)
        let network = isWatched ? try await scene.watch() : nil
        #expect(
            try await scene.phone.failure() == "10.77.0.1 is not an address of this machine (for UDP port 5060)")
        try await Task.sleep(for: .seconds(4))
        try hosts.on(hosts.first, "addr", "add", "10.77.0.1/24", "dev", "wire")
        let back = Instant.monotonic
        // A line without notifications looks every two seconds.
        #expect(try await scene.registrar.registered(after: back) - back < (isWatched ? .seconds(1) : .seconds(5)))
        try await scene.phone.registration(.registered)
        #expect(try await scene.phone.port() == 5_060)
        network?.close()
        try await scene.close()
    }
}

/// A phone on one host and its server on the other.
private struct Scene {
    static let call = CallID(.phone, 1)

    let condition: Condition
    let hosts: HostPair
    let registrar: PatientRegistrar
    let phone: Phone
    private let certificates: Certificates?
    private let first: NetworkHost
    private let second: NetworkHost

    init(
        _ condition: Condition, _ hosts: HostPair? = nil, slept: @escaping @Sendable () -> Duration = SleepClock.slept
    ) async throws {
        self.condition = condition
        self.hosts = try hosts ?? HostPair()
        let family = condition.listening.family
        if family == .six {
            for (host, address) in [(self.hosts.first, family.first), (self.hosts.second, family.second)] {
                try self.hosts.on(host, "addr", "add", address + family.prefix, "dev", "wire", "nodad")
            }
        }
        (first, second) = (try await NetworkHost(self.hosts.first), try await NetworkHost(self.hosts.second))
        certificates = condition.transport == .tls ? try Certificates() : nil
        try certificates?.make("server", "URI:sip:server.example")
        registrar = try await PatientRegistrar(
            on: second.loop, host: family.second, condition.transport, tls: try certificates?.context("server"))
        let home = LineConfiguration.Account(
            domain: "server.example",
            server: NextHop(host: family.second, port: 5_060, transport: condition.transport))
        let authority = certificates?.authority
        phone = try await Phone(
            "alice", on: first.loop, port: 5_060, account: home,
            {
                $0.addresses = condition.listening.addresses
                $0.configuration.media = MediaCapabilities(protection: .off)
                if let authority { $0.tls = TLSSettings(authorities: authority) }
            }, slept: slept)
        try await phone.start()
        if hosts == nil { try await phone.registration(.registered) }
    }

    /// Forwards changes of their host's network to the lines, as the program does.
    func watch() async throws -> Network {
        let (loop, lines) = (first.loop, phone.lines)
        let network = Network(
            listening: condition.listening.addresses, post: { _ in },
            stirred: { loop.execute { lines.networkStirred() } }, report: { Issue.record("\($0)") })
        try await loop.submit { try network.start() }.get()
        return network
    }

    func beginCall() async throws {
        try await phone.perform(
            .dial(Self.call, target: "200", account: Phone.account, MediaEndpoint(port: 4_000)))
        _ = try await phone.answered()
    }

    func endCall() async throws {
        try await phone.perform(.end(Self.call))
        #expect(try await phone.ended() == .hungUpHere)
        #expect(await registrar.heardBYE())
    }

    func close() async throws {
        try await phone.close()
        try await registrar.close()
        try await first.close()
        try await second.close()
    }
}

extension Instant {
    fileprivate static var monotonic: Instant {
        Instant(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds))
    }
}
