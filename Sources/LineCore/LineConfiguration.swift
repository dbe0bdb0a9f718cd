import Base
import SDPCore
import SIPCore
import VertoCore

/// The configuration of one line: an account at a server, or a line that is called directly.
public struct LineConfiguration: Equatable, Sendable {
    /// Who may call.
    public enum Accepts: Equatable, Sendable {
        case anyone
        /// Numeric addresses.
        case listed([String])
        case ownServerOnly
    }

    /// An account at a server.
    public struct Account: Equatable, Sendable {
        /// The host part of the account's address and of the addresses of dialled numbers.
        public var domain: String
        /// The registrar and proxy, to which the account's messages go. If the server has two hosts and supports RFC
        /// 5626, the account has a flow to each.
        public var server: NextHop
        /// Nil: the line's user.
        public var authUser: String?
        public var password: Redacted<String>?
        /// The only realm whose challenges are answered. Nil: the one that the server names first.
        public var realm: String?
        /// False: calls go through the server, but we do not register our address there.
        public var registers: Bool
        /// How long to register for, in seconds.
        public var expires: UInt32
        /// `urn:uuid:…` of this device (RFC 5626 §4.1).
        public var instance: String?
        /// Whether the server is asked for a GRUU, an address that reaches this phone through the server. Off by
        /// default: a proxy that gives a GRUU but cannot route by it loses the BYE of every call.
        public var asksForGRUU: Bool
        /// Whether the server writes From itself, so that From counts as much as P-Asserted-Identity. Off by default:
        /// many servers pass on what the caller wrote.
        public var vouchesForFrom = false
        /// Whether the server hides a withheld number itself, and needs the true one in From (RFC 3325 §7).
        public var hidesFrom = false
        /// The dialect of Verto that the server speaks, over a WebSocket. Nil: it speaks SIP.
        public var verto: VertoDialect?
        /// The login token, for a Verto server that accepts one in place of a user and a password.
        public var token: Redacted<String>?
        /// Whether the password or the token may go to a Verto server over a network in clear.
        public var allowsClearPassword = false
        /// What earlier processes have learned about the server.
        public var trust = LineTrust()

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

    /// The account of the line. The phone names the line and its calls by it.
    public var id: AccountID
    public var user: String
    public var displayName: String?
    /// Nil on the direct line.
    public var account: Account?
    public var accepts: Accepts
    /// The transport for an address that does not name one.
    public var transport: Flow.Transport
    public var media: MediaCapabilities
    /// The status with which a person declines a call: 603, or 486 if the server is to try elsewhere after it.
    public var declineStatus: SIPStatus
    /// The most calls at once, in any state.
    public var maximumLegs: Int
    public var userAgent: String
    /// Headers in which the account's server gives the names by which its backend knows a call. The Call-ID is ignored
    /// even if it is listed, because only the caller and this line know the call by it.
    public var callNames: [SIPHeaderName]
    /// The states that the account's server is asked to report. Entries beyond `SubscriptionTarget.limit` are left out.
    public var watches: [SubscriptionTarget]
    /// How long a call lasts without a refresh (RFC 4028), in seconds, unless the far end or a proxy asks for another
    /// time.
    public var sessionExpires: UInt32
    /// In seconds, at least 90. Calls that ask for less are rejected with this value (422).
    public var minimumSessionExpires: UInt32

    /// Whether calls hide the caller's identity from far ends (RFC 3323), unless a call inverts that.
    public var withholdsNumber = false
    /// The prefix that a person dials before a number to invert `withholdsNumber` for one call, such as `*67`. It is
    /// not sent. Nil: only the server interprets such codes.
    public var withholdingPrefix: String?
    /// The identity that the account's server is asked to assert for us (RFC 3325 §9.2). Nil leaves it to the server.
    public var preferredIdentity: URI?
    /// The number that calls show over Verto, where the caller gives it. Nil: the account's user.
    public var callerNumber: String?

    /// Whether a trace shows digits that are sent in calls. They may be a PIN.
    public var tracesDigits = false

    /// Whether a call may follow a redirection by the far end (RFC 3261 §8.1.3.4). The line's user is asked each time.
    public var followsRedirections = false

    public static let usualCallNames: [SIPHeaderName] = [
        "X-Telnyx-Call-Control-ID", "X-Telnyx-Session-ID", "X-Call-ID",
    ].map { SIPHeaderName($0) }

    public init(
        _ id: AccountID = .direct, user: String, displayName: String? = nil, account: Account? = nil,
        accepts: Accepts = .ownServerOnly,
        transport: Flow.Transport = .udp, media: MediaCapabilities = MediaCapabilities(),
        declineStatus: SIPStatus = .decline, maximumLegs: Int = 8, userAgent: String = "Offhook",
        callNames: [SIPHeaderName] = Self.usualCallNames, watches: [SubscriptionTarget] = [],
        sessionExpires: UInt32 = 1_800,
        minimumSessionExpires: UInt32 = MinSE.least
    ) {
        precondition(
            minimumSessionExpires >= MinSE.least && sessionExpires >= minimumSessionExpires,
            "a session lasts for 90 seconds at least (RFC 4028 §4)")
        self.id = id
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

    /// Answers challenges of the account's server. Nil without a password.
    func digest(_ hashes: DigestHashes) -> DigestAuthenticator? {
        account.flatMap { account in
            account.password.map { password in
                let name = account.authUser ?? user
                let credentials = DigestCredentials(username: name, password: password, realm: account.realm)
                return DigestAuthenticator(credentials, hashes: hashes)
            }
        }
    }

    /// The address for a dialled target. A number belongs to the account's domain. A SIP URI is the address itself.
    func address(of target: String) -> URI? {
        let isNumber = !target.isEmpty && target.allSatisfy { $0.isASCII && ($0.isNumber || "*#+".contains($0)) }
        guard isNumber else {
            guard let uri = try? URI(target), let sip = uri.sip, mayReach(sip) else { return nil }
            return uri
        }
        guard let account, target.utf8.count <= 64 else { return nil }
        return .sip(SIPURI(user: target, host: account.domain))
    }

    /// The target without the prefix, and whether the call hides the caller's identity.
    func dialled(_ target: String) -> (target: String, isWithheld: Bool) {
        guard let prefix = withholdingPrefix, !prefix.isEmpty, target.hasPrefix(prefix), target != prefix else {
            return (target, withholdsNumber)
        }
        return (String(target.dropFirst(prefix.count)), !withholdsNumber)
    }

    /// `sips` asks for TLS on every hop (RFC 3261 §26.2.2). That includes the first hop, to the account's server.
    private func mayReach(_ uri: SIPURI) -> Bool {
        switch uri.scheme {
        case .sip: true
        case .sips: account.map { $0.server.transport.isSecure } ?? true
        }
    }
}

extension LineConfiguration {
    /// This configuration with other credentials.
    ///
    /// The configured name for authentication, the names and numbers to show, and the token belong to the configured
    /// user. They do not apply to another one. Credentials of the same user without a password or token keep its secret.
    package func taking(_ credentials: AccountCredentials) -> LineConfiguration {
        var taken = self
        let isOwn = credentials.user == user
        taken.user = credentials.user
        taken.displayName = credentials.callerName ?? (isOwn ? displayName : nil)
        taken.callerNumber = number(credentials.callerNumber) ?? (isOwn ? callerNumber : nil)
        taken.preferredIdentity = address(ofNumber: credentials.callerNumber) ?? (isOwn ? preferredIdentity : nil)
        if !isOwn { taken.account?.authUser = nil }
        if !isOwn || !credentials.password.reveal().isEmpty || credentials.loginToken != nil {
            taken.account?.password = credentials.password
            taken.account?.token = credentials.loginToken
        }
        return taken
    }

    /// Nil if it has nothing that can be dialled.
    private func number(_ text: String?) -> String? {
        text?.contains { Self.dialled.contains($0) } == true ? text : nil
    }

    /// The address of a number at the account's server. Nil without a server or without digits.
    private func address(ofNumber number: String?) -> URI? {
        let digits = (number ?? "").filter { Self.dialled.contains($0) }
        guard let account, !digits.isEmpty else { return nil }
        return .sip(SIPURI(user: digits, host: account.domain))
    }

    private static var dialled: String { "0123456789*#+" }
}
