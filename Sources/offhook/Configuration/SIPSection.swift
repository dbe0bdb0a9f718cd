import Lines
import Media
import SDPCore
import YAML

/// Where lines listen, which hosts may call the direct line, and how servers are found.
struct SIPSection: YAMLReadable {
    /// The addresses to bind and to put in messages. Default: all IPv4 addresses; the phone then chooses the right one
    /// for each peer.
    var addresses = ["0.0.0.0"]
    /// The first line's port; other lines get a free one from the kernel. 0: every line does.
    var port: UInt16 = 5_060
    /// Numeric addresses of hosts that may call without an account; none by default.
    var peers: [String] = []
    /// The key exchange of the direct line's calls: `mandatory` (keys in the signalling) or `dtls`.
    var protection = ProtectionPolicy.mandatory
    /// The ICE settings of the direct line.
    var ice = ICESettings()
    /// Name servers; empty: the system's.
    var nameServers: [String] = []
    /// Whether to ask servers for a GRUU, an address that reaches this phone through them.
    var gruu = false
    var tls = TLSSection()
    /// How long a session lasts without a refresh (RFC 4028), and the shortest time that a far end may request.
    var sessionTime: Duration = .seconds(1_800)
    var shortestSessionTime: Duration = .seconds(90)
    /// The identity that an account's server should show for the phone, by account label.
    var identities: [(key: String, value: String)] = []
    /// Labels of accounts whose servers report waiting messages only to a subscriber.
    var asksForMessages: [String] = []
    /// Labels of accounts whose servers write the From header themselves, so that it reliably names the caller.
    var trustsFrom: [String] = []
    /// Labels of accounts whose servers hide a withheld number themselves, and need the true one in From.
    var hidesFrom: [String] = []

    /// Whether to withhold the phone's number from far ends, unless a call requests otherwise.
    var withholdsNumber = false
    /// A dialled prefix that reverses this for one call; it is not sent. Nil: the server handles such codes.
    var withholdingPrefix: String?

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        addresses = try section.optional("address", .listeningAddress(), usual: addresses, written: "0.0.0.0")
        port = try section.optional("port", .integer(in: 0...65_535), usual: port)
        peers =
            try section.optional("peers", .list(of: .numericAddress(), count: 0...64), usual: [])
        protection =
            try section.optional(
                "protection", .choice(["mandatory": ProtectionPolicy.mandatory, "dtls": .dtls]), usual: protection)
        ice.policy =
            try section.optional(
                "ice", .choice(["off": .off, "answered": .answered, "always": .always]), usual: ice.policy)
        let servers = try section.optional("stun", .list(of: .numericAddress(), count: 0...4), usual: [])
        ice.servers = servers.map { ICESettings.Server(host: $0, port: 3_478) }
        withholdsNumber = try section.optional("withhold_number", .bool(), usual: withholdsNumber)
        withholdingPrefix = try section.optional("withhold_prefix", .digits(count: 2...8))
        nameServers = try section.optional("name_servers", .list(of: .numericAddress(), count: 1...4)) ?? []
        gruu = try section.optional("gruu", .bool(), usual: gruu)
        tls = try section.section("tls")
        let ofAccounts = YAMLShape.table(of: .accountLabel(), to: .target(), count: 0...64)
        identities = try section.optional("identities", ofAccounts, usual: identities)
        asksForMessages = try section.optional("ask_for_messages", .list(of: .accountLabel(), count: 0...64), usual: [])
        trustsFrom = try section.optional("trust_from", .list(of: .accountLabel(), count: 0...64), usual: [])
        hidesFrom = try section.optional("server_withholds", .list(of: .accountLabel(), count: 0...64), usual: [])
        try readSessions(&section)
    }

    private mutating func readSessions(_ section: inout YAMLSection) throws(YAMLError) {
        let range: ClosedRange<Duration> = .seconds(90) ... .seconds(86_400)
        sessionTime = try section.optional("session_time", .duration(in: range), usual: sessionTime)
        shortestSessionTime =
            try section.optional("shortest_session_time", .duration(in: range), usual: shortestSessionTime)
        guard shortestSessionTime <= sessionTime else {
            throw section.error("shortest_session_time", "must not be longer than session_time")
        }
    }
}

/// The authorities that lines trust over TLS, and the lines' own certificate. Paths stay as written.
struct TLSSection: YAMLReadable {
    /// The port on which the first line accepts TLS; nil: none.
    var port: UInt16?
    /// The file of trusted authorities; nil: the system's.
    var authorities: String?
    var certificate: String?
    var key: String?
    /// The only certificate that an account's server may show, by account label.
    var pins: [(label: String, fingerprint: Fingerprint)] = []

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        port = try section.optional("port", .integer(in: 1...65_535))
        authorities = try section.optional("authorities", .text("a path"))
        certificate = try section.optional("certificate", .text("a path"))
        key = try section.optional("key", .text("a path"))
        pins =
            try section.optional("pins", .table(of: .accountLabel(), to: .fingerprint(), count: 0...64))?
            .map { ($0, $1) } ?? []
        if certificate != nil, key == nil { throw section.error("certificate", "a certificate needs sip.tls.key") }
        if key != nil, certificate == nil { throw section.error("key", "a key needs sip.tls.certificate") }
        if port != nil, certificate == nil { throw section.error("port", "accepting TLS needs certificate and key") }
    }
}

extension YAMLShape where Value == Fingerprint {
    static func fingerprint() -> YAMLShape {
        .scalar(
            "the SHA-256 of a certificate, 64 hexadecimal digits with or without colons",
            example: String(repeating: "0", count: 64)
        ) { Fingerprint($0) }
    }
}
