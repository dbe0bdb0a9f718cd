import Base
import SIPCore

/// The destination of a message, before names are resolved (RFC 3263 §4).
public struct NextHop: Hashable, Sendable {
    /// A name or a numeric address, without brackets.
    public let host: String
    /// Nil: DNS gives the port, else the transport's default port is used.
    public let namedPort: UInt16?
    /// Nil: DNS gives the transport, else UDP is used.
    public let namedTransport: Flow.Transport?

    public var port: UInt16 { namedPort ?? transport.defaultPort }
    public var transport: Flow.Transport { namedTransport ?? .udp }

    /// - Parameter transport: Nil leaves the choice to DNS.
    public init(host: String, port: UInt16? = nil, transport: Flow.Transport? = .udp) {
        self.host = host
        namedPort = port
        namedTransport = transport
    }

    /// The same hop, with this transport if it names none.
    func otherwise(_ transport: Flow.Transport?) -> NextHop {
        NextHop(host: host, port: namedPort, transport: namedTransport ?? transport)
    }

    /// Nil if this phone cannot send to the address.
    /// - Parameter transport: The transport for an address that does not name one. Nil leaves the choice to DNS.
    init?(_ uri: URI, otherwise transport: Flow.Transport? = nil) {
        guard let uri = uri.sip else { return nil }
        switch (uri.scheme, uri.transport) {
        case (.sips, Flow.Transport.ws.rawValue): self.init(host: uri.host, port: uri.port, transport: .wss)
        case (.sips, _): self.init(host: uri.host, port: uri.port, transport: .tls)
        case (.sip, nil): self.init(host: uri.host, port: uri.port, transport: transport)
        case (.sip, let name?):
            guard let transport = Flow.Transport(rawValue: name) else { return nil }
            self.init(host: uri.host, port: uri.port, transport: transport)
        }
    }
}

/// Resolves a hop to numeric addresses, in the order in which they are to be tried (RFC 3263 §4, RFC 2782).
///
/// Ask `question`, pass the answer to `receive`, and repeat until `question` is nil. Bounded: it looks up at most
/// `limit` server names, and finds at most as many targets.
public struct HopSearch: Sendable {
    public struct Target: Hashable, Sendable {
        public let transport: Flow.Transport
        public let remote: Flow.Endpoint

        public init(_ transport: Flow.Transport, _ remote: Flow.Endpoint) {
            (self.transport, self.remote) = (transport, remote)
        }
    }

    /// The most hosts, and the most targets.
    public static let limit = 16

    fileprivate enum Step: Sendable {
        case naptr
        /// A service. The services are in the order of preference.
        case srv(name: String, Flow.Transport)
        case addresses(host: String, UInt16, Flow.Transport)
    }

    let hop: NextHop
    private let transports: Set<Flow.Transport>
    private var steps: [Step] = []
    /// Whether any SRV record was found. If so, the host itself is not a target.
    private var hasServers = false
    public private(set) var targets: [Target] = []

    /// - Parameter transports: The transports that this phone supports.
    public init(_ hop: NextHop, transports: Set<Flow.Transport>) {
        (self.hop, self.transports) = (hop, transports)
        guard transports.contains(hop.transport) || hop.namedTransport == nil else { return }
        if let address = IPAddress(hop.host) {
            targets = [Target(hop.transport, Flow.Endpoint(address, hop.port))]
        } else if hop.namedPort != nil {
            steps = [.addresses(host: hop.host, hop.port, hop.transport)]
        } else if let transport = hop.namedTransport {
            steps = [service(transport)]
        } else {
            steps = [.naptr]
        }
    }

    /// The next question. Nil when the search is over.
    public var question: DNSQuestion? {
        guard let step = steps.first, targets.count < Self.limit else { return nil }
        return switch step {
        case .naptr: .naptr(hop.host)
        case .srv(let name, _): .srv(name)
        case .addresses(let host, _, _): .addresses(host)
        }
    }

    /// Takes the answer to `question`.
    /// - Parameter generator: Shares the load by weight.
    public mutating func receive(_ answer: DNSAnswer, using generator: inout some RandomNumberGenerator) {
        guard let step = steps.first else { return }
        steps.removeFirst()
        switch (step, answer) {
        case (.naptr, .naptr(let records)): steps = services(records)
        case (.naptr, _): steps = services([])
        case (.srv(_, let transport), .srv(let records)): add(records, transport, using: &generator)
        case (.addresses(_, let port, let transport), .addresses(let hosts)):
            for address in hosts.compactMap({ IPAddress(zoned: $0) }) where targets.count < Self.limit {
                let target = Target(transport, Flow.Endpoint(address, port))
                if !targets.contains(target) { targets.append(target) }
            }
        case (.srv, _), (.addresses, _): break
        }
        // Without SRV records the host itself is the server (RFC 3263 §4.2).
        if steps.isEmpty, !hasServers, targets.isEmpty, step.isService {
            steps = [.addresses(host: hop.host, hop.port, hop.transport)]
        }
    }

    /// The services that the domain prefers and this phone supports. Without such records the search uses the usual
    /// names (RFC 3263 §4.1).
    private func services(_ records: [NAPTRecord]) -> [Step] {
        let known: [String: Flow.Transport] = ["sip+d2u": .udp, "sip+d2t": .tcp, "sips+d2t": .tls]
        let offered = records.filter { $0.flags.asciiLowercased == "s" && !$0.replacement.isEmpty }
            .sorted { ($0.order, $0.preference) < ($1.order, $1.preference) }
            .compactMap { record in
                known[record.service.asciiLowercased].map { Step.srv(name: record.replacement, $0) }
            }
            .filter { transports.contains($0.transport) }
        guard offered.isEmpty else { return Array(offered.prefix(Self.limit)) }
        return [Flow.Transport.udp, .tcp, .tls].filter(transports.contains).map(service)
    }

    private func service(_ transport: Flow.Transport) -> Step {
        switch transport {
        case .udp: .srv(name: "_sip._udp." + hop.host, transport)
        case .tcp: .srv(name: "_sip._tcp." + hop.host, transport)
        case .tls: .srv(name: "_sips._tcp." + hop.host, transport)
        // The host and the port of a URI name a WebSocket server, so no service is looked up (RFC 7118 §5.3).
        case .ws, .wss: .addresses(host: hop.host, hop.port, transport)
        }
    }

    /// Puts these hosts before the services with a lower preference.
    private mutating func add(
        _ records: [SRVRecord], _ transport: Flow.Transport, using generator: inout some RandomNumberGenerator
    ) {
        guard !records.isEmpty else { return }
        hasServers = true
        let hosts = Self.ordered(records, using: &generator).filter { !$0.target.isEmpty && $0.port != 0 }
            .map { Step.addresses(host: $0.target, $0.port, transport) }
        let others = steps.filter { !$0.isService }
        steps = Array((others + hosts).prefix(Self.limit)) + steps.filter(\.isService)
    }

    /// Puts the lowest priority first. Within one priority the order is random, weighted by RFC 2782 ("Weight").
    static func ordered(
        _ records: [SRVRecord], using generator: inout some RandomNumberGenerator
    ) -> [SRVRecord] {
        var left = records.prefix(64).sorted { ($0.priority, $0.weight) < ($1.priority, $1.weight) }
        var ordered: [SRVRecord] = []
        while let priority = left.first?.priority {
            let group = left.prefix { $0.priority == priority }
            let total = group.reduce(0) { $0 + Int($1.weight) }
            let drawn = Int.random(in: 0...total, using: &generator)
            var sum = 0
            let chosen = group.firstIndex { record in
                sum += Int(record.weight)
                return sum >= drawn
            }
            ordered.append(left.remove(at: chosen ?? left.startIndex))
        }
        return ordered
    }
}

extension HopSearch.Step {
    fileprivate var isService: Bool {
        switch self {
        case .naptr, .srv: true
        case .addresses: false
        }
    }

    fileprivate var transport: Flow.Transport {
        switch self {
        case .naptr: .udp
        case .srv(_, let transport), .addresses(_, _, let transport): transport
        }
    }
}

extension LineConfiguration {
    /// The transports that the line uses. Over a WebSocket it talks only to the account's server.
    package var transports: Set<Flow.Transport> {
        guard let named = account?.server.transport, named.isWebSocket else { return [.udp, .tcp, .tls] }
        return [named]
    }
}
