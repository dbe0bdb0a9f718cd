import Base
import Glibc
import ICECore
import Platform
import Synchronization

/// The addresses of STUN and TURN servers. Its own thread resolves names, because DNS may take seconds. A server is not
/// used until its name is resolved.
final class ICEServerResolver: Sendable {
    /// How often names are resolved again, and how soon after a failure.
    private static let (interval, retry): (Duration, Duration) = (.seconds(300), .seconds(10))

    private let names: [String]
    private let known = Mutex<[String: [IPAddress]]>([:])
    let wake: WakeSignal

    init(_ settings: some Sequence<ICESettings>) throws(MediaError) {
        let hosts = settings.flatMap(\.servers).map(\.host).filter { IPAddress($0) == nil }
        names = Set(hosts).sorted()
        wake = try WakeSignal.make()
    }

    /// Whether there are names to resolve.
    var isNeeded: Bool { !names.isEmpty }

    /// The servers whose addresses are known: the first address of each family.
    func addresses(of settings: ICESettings) -> [ICEServerAddress] {
        settings.servers.flatMap { server -> [ICEServerAddress] in
            let all = IPAddress(server.host).map { [$0] } ?? known.withLock { $0[server.host] ?? [] }
            let firsts = [all.first { !$0.isVersion6 }, all.first { $0.isVersion6 }].compactMap(\.self)
            return firsts.map {
                .init(host: server.host, address: TransportAddress($0, server.port), relay: server.relay)
            }
        }
    }

    /// Resolves names until the phone stops, which raises `wake`.
    func run(until stop: StopFlag) {
        while !stop.isRaised {
            var hasAll = true
            for name in names {
                let found = Self.addresses(of: name)
                // Known addresses stay while DNS is unreachable.
                if found.isEmpty { hasAll = false } else { known.withLock { $0[name] = found } }
            }
            wake.wait(until: MonotonicClock.now() + (hasAll ? Self.interval : Self.retry))
        }
    }

    private static func addresses(of name: String) -> [IPAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var found: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ai_next
            guard let place = unsafe entry.pointee.ai_addr.flatMap({ unsafe TransportAddress($0) }) else { continue }
            found.append(place.address)
        }
        return found
    }
}

/// A server of `ICESettings` whose address is known.
struct ICEServerAddress: Sendable {
    /// The configured host, which the server's certificate must name.
    let host: String
    let address: TransportAddress
    let relay: ICESettings.Relay?

    var turnServer: TURNServer? {
        relay.map { relay in
            let transport: TURNServer.Transport =
                switch relay.transport {
                case .udp: .udp
                case .tcp: .tcp
                case .tls: .tls
                }
            return TURNServer(
                address, transport, LongTermCredentials(user: relay.user, password: relay.password))
        }
    }
}
