import Base
import SIPCore

/// A message on its way: a datagram, or a longer message over a connection. The world treats both alike.
struct Datagram: Sendable {
    let bytes: [UInt8]
    let from: Flow.Endpoint
    let to: Flow.Endpoint
    let transport: Flow.Transport
    /// The opener of the connection, as the receiver sees it; nil for a datagram.
    private let opener: Flow.Opener?

    /// A message over a flow, from its sender's current address.
    init(_ bytes: [UInt8], over flow: Flow, from endpoint: Flow.Endpoint) {
        (self.bytes, from, to, transport) = (bytes, endpoint, flow.remote, flow.transport)
        opener = flow.transport.isReliable ? (flow.opener == .us ? .peer : .us) : nil
    }

    /// A forged message.
    /// - Parameter transport: Of a connection; without an opener it is a datagram.
    init(
        _ bytes: [UInt8], from: Flow.Endpoint, to: Flow.Endpoint, opener: Flow.Opener? = nil,
        over transport: Flow.Transport = .tcp
    ) {
        (self.bytes, self.from, self.to, self.opener) = (bytes, from, to, opener)
        self.transport = opener == nil ? .udp : transport
    }

    /// Other content on the same way.
    func saying(_ bytes: [UInt8]) -> Datagram {
        Datagram(bytes, from: from, to: to, opener: opener, over: transport)
    }

    /// The flow over which it arrives.
    var arrival: Flow { Flow(transport, local: to, remote: from, opener: opener ?? .us) }
}

/// How the network treats datagrams.
package struct Weather: Equatable, Sendable {
    package var lossPercent = 0
    package var duplicatePercent = 0
    /// Datagrams overtake each other within it.
    package var delay: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(5)

    package static let fine = Weather()
}

/// The network between phones and server: it loses, delays, doubles and reorders, and some hosts have no path.
struct Network: Sendable {
    var weather: Weather
    private var dice: Dice
    /// Hosts without a path.
    private var cutOff: Set<String> = []
    /// When the last message over each TLS connection arrives, by its receiver: none overtakes another.
    private var lastOfStream: [String: Instant] = [:]

    init(weather: Weather, seed: UInt64) {
        self.weather = weather
        dice = Dice(seed: seed, "network")
    }

    func isCutOff(_ host: String) -> Bool { cutOff.contains(host) }

    mutating func cutOff(_ host: String, _ isCutOff: Bool) {
        if isCutOff { cutOff.insert(host) } else { cutOff.remove(host) }
    }

    /// - Returns: when the datagram arrives: mostly once.
    mutating func carry(_ datagram: Datagram, at now: Instant) -> [Instant] {
        let arrivals = delays(datagram).map { now + $0 }
        guard datagram.transport == .tls, let arrival = arrivals.first else { return arrivals }
        let way = "\(datagram.from) \(datagram.to)"
        let next = max(arrival, lastOfStream[way] ?? arrival)
        lastOfStream[way] = next
        return [next]
    }

    private mutating func delays(_ datagram: Datagram) -> [Duration] {
        guard !isCutOff(datagram.from.host), !dice.chance(percent: weather.lossPercent) else { return [] }
        let first = dice.duration(in: weather.delay)
        return dice.chance(percent: weather.duplicatePercent) ? [first, dice.duration(in: weather.delay)] : [first]
    }

    /// Whether it arrives, now that its time has come.
    func delivers(_ datagram: Datagram) -> Bool { !isCutOff(datagram.to.host) && !isCutOff(datagram.from.host) }
}
