import Base
import SDPCore
import SIPCore

/// One line as it is configured: an account at a server, or a line that is called directly.
public struct LineConfiguration: Equatable, Sendable {
    /// Who may call.
    public enum Accepts: Equatable, Sendable {
        case anyone
        /// Numeric addresses.
        case listed([String])
        case ownServerOnly
    }

    /// Where an account lives.
    public struct Account: Equatable, Sendable {
        /// What stands behind the `@` of its address, and of numbers that are dialled.
        public var domain: String
        /// Where its messages go: registrar and proxy. One that stands at two hosts, and offers it, has a flow to each.
        public var server: NextHop
        /// Nil: the line's user.
        public var authUser: String?
        public var password: Redacted<String>?
        /// The only realm whose challenges are answered; nil: the one that the server names first.
        public var realm: String?
        /// False: calls go through the server, but it is not told where we are.
        public var registers: Bool
        /// Seconds for which to register.
        public var expires: UInt32
        /// `urn:uuid:…` of this device (RFC 5626 §4.1).
        public var instance: String?
        /// Whether the server is asked for an address that reaches this phone through it. Not by default: a proxy that
        /// gives one and does not find its way back by it loses every call's BYE.
        public var asksForGRUU: Bool
        /// The server writes From itself: it stands for the caller as P-Asserted-Identity does elsewhere. Not by default:
        /// many servers pass on whatever the caller wrote.
        public var vouchesForFrom = false

        public init(
            domain: String, server: NextHop, authUser: String? = nil, password: Redacted<String>? = nil,
            realm: String? = nil, registers: Bool = true, expires: UInt32 = 600, instance: String? = nil,
            asksForGRUU: Bool = false
        ) {
            self.domain = domain
            self.server = server
            self.authUser = authUser
            self.password = password
            self.realm = realm
            self.registers = registers
            self.expires = expires
            self.instance = instance
            self.asksForGRUU = asksForGRUU
        }
    }

    public var user: String
    public var displayName: String?
    /// Nil: the direct line.
    public var account: Account?
    public var accepts: Accepts
    /// The transport to an address that names none.
    public var transport: Flow.Transport
    public var media: MediaCapabilities
    /// How a person's refusal is said: 603, or 486 where a server would try elsewhere after it.
    public var declineStatus: SIPStatus
    /// Calls at once, in whatever state.
    public var maximumLegs: Int
    public var userAgent: String
    /// Headers in which the account's server says by which names its backend knows a call. The Call-ID is not read, even
    /// if it is listed: it is nobody's name for a call but ours and the caller's.
    public var callNames: [SIPHeaderName]
    /// What the account's server is asked to tell of; those beyond `SubscriptionTarget.limit` are left out.
    public var watches: [SubscriptionTarget]
    /// Seconds for which a call stands without a refresh (RFC 4028), unless an end or a proxy wants less or more.
    public var sessionExpires: UInt32
    /// Seconds; calls that ask for less are told so. At least 90.
    public var minimumSessionExpires: UInt32

    /// Far ends are not told who calls (RFC 3323), unless a call says otherwise.
    public var withholdsNumber = false
    /// What a person dials before a number to be shown differently from `withholdsNumber` for one call: `*67`. Not sent.
    /// Nil: nothing, and such codes are the server's to read.
    public var withholdingPrefix: String?
    /// As whom the account's server is asked to show us (RFC 3325 §9.2); nil leaves it to the server.
    public var preferredIdentity: URI?

    /// Whether a trace shows digits that are sent in calls. They may be a PIN.
    public var tracesDigits = false

    /// Whether a call may go on where the far end sends it (RFC 3261 §8.1.3.4), when the line's user agrees each time.
    public var followsRedirections = false

    public static let usualCallNames: [SIPHeaderName] = [
        "X-Telnyx-Call-Control-ID", "X-Telnyx-Session-ID", "X-Call-ID",
    ].map { SIPHeaderName($0) }

    public init(
        user: String, displayName: String? = nil, account: Account? = nil, accepts: Accepts = .ownServerOnly,
        transport: Flow.Transport = .udp, media: MediaCapabilities = MediaCapabilities(),
        declineStatus: SIPStatus = .decline, maximumLegs: Int = 8, userAgent: String = "Offhook",
        callNames: [SIPHeaderName] = Self.usualCallNames, watches: [SubscriptionTarget] = [],
        sessionExpires: UInt32 = 1_800,
        minimumSessionExpires: UInt32 = MinSE.least
    ) {
        precondition(
            minimumSessionExpires >= MinSE.least && sessionExpires >= minimumSessionExpires,
            "a session lasts for 90 seconds at least (RFC 4028 §4)")
        self.user = user
        self.displayName = displayName
        self.account = account
        self.accepts = accepts
        self.transport = transport
        self.media = media
        self.declineStatus = declineStatus
        self.maximumLegs = maximumLegs
        self.userAgent = userAgent
        self.callNames = callNames
        self.watches = watches
        self.sessionExpires = sessionExpires
        self.minimumSessionExpires = minimumSessionExpires
    }

    /// The answers to challenges of the account's server; nil without a password.
    func digest(_ hashes: DigestHashes) -> DigestAuthenticator? {
        account.flatMap { account in
            account.password.map { password in
                let name = account.authUser ?? user
                let credentials = DigestCredentials(username: name, password: password, realm: account.realm)
                return DigestAuthenticator(credentials, hashes: hashes)
            }
        }
    }

    /// The address that a person means: a number belongs to the account's domain, a SIP URI stands for itself.
    func address(of target: String) -> URI? {
        if let uri = try? URI(target), let sip = uri.sip { return mayReach(sip) ? uri : nil }
        guard let account, !target.isEmpty, target.utf8.count <= 64,
            target.utf8.allSatisfy({ (0x30...0x39).contains($0) || Array("*#+".utf8).contains($0) })
        else { return nil }
        return .sip(SIPURI(user: target, host: account.domain))
    }

    /// What is to be called, and whether the far end is not to learn who calls.
    func dialled(_ target: String) -> (target: String, isWithheld: Bool) {
        guard let prefix = withholdingPrefix, !prefix.isEmpty, target.hasPrefix(prefix), target != prefix else {
            return (target, withholdsNumber)
        }
        return (String(target.dropFirst(prefix.count)), !withholdsNumber)
    }

    /// `sips` asks for TLS on every hop (RFC 3261 §26.2.2), also on the first one, to the account's server.
    private func mayReach(_ uri: SIPURI) -> Bool {
        switch uri.scheme {
        case .sip: true
        case .sips: account.map { $0.server.transport == .tls } ?? true
        }
    }
}
