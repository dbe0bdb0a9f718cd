import Base
import ICECore

/// Address realms with NATs between them, and packets in transit: the network of the agents. A value; losses, delays
/// and chosen ports come from one seed.
struct Internet: Sendable {
    /// Probabilities and delays, each by its name beside the seed of a failure.
    struct Weather: Sendable, CustomStringConvertible {
        var lossProbability = 0.0
        /// The delay between any two that are not on one network, in microseconds.
        var delay: Int64 = 20_000
        /// Extra delay for each packet, in microseconds: it reorders packets.
        var jitter: Int64 = 0

        var description: String { "loss \(lossProbability), delay \(delay) µs, jitter \(jitter) µs" }
    }

    struct Packet: Sendable {
        let source: TransportAddress
        let destination: TransportAddress
        let bytes: [UInt8]
    }

    enum Arrival: Sendable {
        case packet(Packet, realm: Int)
        case stream(Stream, [UInt8])
        case opened(Stream)
        case signal(to: Int, Signal)
    }

    /// A connection of a phone to a server.
    struct Stream: Hashable, Sendable {
        let phone: Int
        let id: StreamID
        let isToServer: Bool
    }

    enum Signal: Sendable {
        case description(ICECredentials, isLite: Bool, [Candidate], isComplete: Bool, isOffer: Bool)
        case candidate(Candidate)
        case endOfCandidates
    }

    struct Entry: Sendable {
        let due: Instant
        let order: Int
        let arrival: Arrival
    }

    static let publicRealm = 0

    let weather: Weather
    var generator: SeededGenerator
    private(set) var nats: [NAT] = []
    /// The NAT above each realm; none above the public one.
    private var natAbove: [Int?] = [nil]
    private var owners: [[IPAddress: Int]] = [[:]]
    private var underWay: [Entry] = []
    private var order = 0
    private(set) var lost = 0

    init(seed: UInt64, _ weather: Weather) {
        (generator, self.weather) = (SeededGenerator(seed: seed), weather)
    }

    // MARK: Building

    /// - Returns: The realm inside.
    mutating func add(_ behaviour: NATBehaviour, address: IPAddress, in realm: Int) -> Int {
        nats.append(NAT(behaviour, address: address, outside: realm))
        natAbove.append(nats.count - 1)
        owners.append([:])
        return natAbove.count - 1
    }

    mutating func attach(_ owner: Int, _ address: IPAddress, in realm: Int) { owners[realm][address] = owner }
    mutating func detach(_ address: IPAddress, in realm: Int) { owners[realm][address] = nil }

    func passesUDP(from realm: Int) -> Bool {
        guard let nat = natAbove[realm] else { return true }
        return nats[nat].behaviour.passesUDP && passesUDP(from: nats[nat].outside)
    }

    // MARK: Sending

    mutating func send(_ packet: Packet, from realm: Int, at now: Instant) {
        var (packet, realm) = (packet, realm)
        let isLocal = owners[realm][packet.destination.address] != nil
        while owners[realm][packet.destination.address] == nil, let above = natAbove[realm] {
            let isOwn = nats[above].address == packet.destination.address
            guard
                let source = nats[above].outbound(
                    packet.source, to: packet.destination, at: now, using: &generator),
                !isOwn || nats[above].behaviour.isHairpinning
            else { return }
            packet = Packet(source: source, destination: packet.destination, bytes: packet.bytes)
            realm = nats[above].outside
        }
        if Double.random(in: 0..<1, using: &generator) < weather.lossProbability, !isLocal {
            lost += 1
            return
        }
        schedule(.packet(packet, realm: realm), at: now + (isLocal ? .microseconds(200) : delay()))
    }

    var streamDelay: Duration { .microseconds(weather.delay) }

    private mutating func delay() -> Duration {
        let jitter = weather.jitter > 0 ? Int64.random(in: 0...weather.jitter, using: &generator) : 0
        return .microseconds(weather.delay + jitter)
    }

    mutating func schedule(_ arrival: Arrival, at due: Instant) {
        order += 1
        let entry = Entry(due: due, order: order, arrival: arrival)
        let place = underWay.firstIndex { ($0.due, $0.order) < (entry.due, entry.order) } ?? underWay.count
        underWay.insert(entry, at: place)
    }

    // MARK: Arriving

    var deadline: Instant? { underWay.last?.due }

    mutating func next() -> Entry? { underWay.popLast() }

    /// Takes a packet that has come into a realm further inside, as far as filters admit it.
    /// - Returns: The receiver, and its address.
    mutating func arrive(_ packet: Packet, in realm: Int, at now: Instant) -> (owner: Int, packet: Packet)? {
        var (packet, realm) = (packet, realm)
        while true {
            if let owner = owners[realm][packet.destination.address] { return (owner, packet) }
            let below = nats.indices.first { index in
                nats[index].outside == realm
                    && (nats[index].address == packet.destination.address
                        || !nats[index].behaviour.translates
                            && nats[index].mappings.contains { $0.outside == packet.destination })
            }
            guard let below, let inside = nats[below].inbound(packet.source, to: packet.destination, at: now),
                let next = natAbove.firstIndex(of: below)
            else { return nil }
            packet = Packet(source: packet.source, destination: inside, bytes: packet.bytes)
            realm = next
        }
    }
}
