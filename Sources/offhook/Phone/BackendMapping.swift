import BackendCore
import Base
import PhoneCore
import Vault

extension SignInCode {
    init(_ code: DeviceCode, now: Instant) {
        self.init(
            code: code.userCode, address: code.address, completeAddress: code.completeAddress,
            until: now + code.expiresIn)
    }
}

extension SignedInUser {
    init(_ person: BackendPerson) {
        self.init(subject: person.subject, name: person.name, email: person.email)
    }
}

extension SignInNeed {
    init(_ reason: SignInReason) {
        self =
            switch reason {
            case .deviceTokenRefused: .deviceTokenRefused
            case .accessTokenRefused: .accessTokenRefused
            case .otherBackend: .recordUnusable
            }
    }
}

extension SignInFailure {
    init(_ failure: DeviceGrantFailure) {
        self =
            switch failure {
            case .cancelled: .cancelled
            case .denied: .denied
            case .expired: .expired
            case .identity(let fault): .identity(fault.sentence)
            case .backend(.network(let why)): .network(why)
            case .backend(.api(let status, let text)): .api(status, text.isEmpty ? nil : text)
            case .backend(.parse(let fault)): .parse(fault.sentence)
            case .backend(.timeout): .timeout
            case .backend(.abandoned): .cancelled
            case .backend(.noOrganisation): .parse("it names no organisation")
            case .backend(.signInNeeded): .denied
            }
    }
}

extension SwitchFailure {
    init(_ failure: BackendFailure) {
        self =
            switch failure {
            case .noOrganisation: .noOrganisation
            case .network: .network
            case .api(let status, let text): .api(status, text.isEmpty ? nil : text)
            case .parse: .parse
            case .timeout: .timeout
            case .signInNeeded: .api(401, failure.sentence)
            case .abandoned: .abandoned
            }
    }
}

extension Organisation {
    init(_ other: BackendOrganisation) {
        self.init(id: OrganisationID(other.id.description), name: other.name, slug: other.slug)
    }
}

extension KnownOrganisation {
    init(_ other: BackendOrganisation, isCurrent: Bool) {
        self.init(
            Organisation(other), channel: other.channelNumber, isDefault: other.isDefault, isCurrent: isCurrent)
    }
}

extension OrganisationContext {
    init(_ credentials: BackendCredentials, account: AccountID) {
        self.init(
            account: account, organisation: Organisation(credentials.organisation),
            credentials: AccountCredentials(
                user: credentials.user, password: credentials.password, callerName: credentials.callerName,
                callerNumber: credentials.callerNumber, loginToken: credentials.loginToken,
                server: AccountServer(credentials)))
    }
}

extension AccountServer {
    /// Nil: the backend names no server, and none is usual for the kind.
    init?(_ credentials: BackendCredentials) {
        guard let place = credentials.server ?? AccountDefaults(credentials.kind).server else { return nil }
        self.init(kind: credentials.kind, place: place, transport: credentials.transport)
    }
}

extension Account {
    /// The account that a sign-in brings. Nil: the backend names no server.
    init?(_ credentials: BackendCredentials) {
        guard let server = AccountServer(credentials) else { return nil }
        self.init(
            at: server, label: "backend", user: credentials.user, displayName: credentials.callerName,
            password: credentials.password, token: credentials.loginToken)
    }

    /// An account with the usual values of its kind.
    fileprivate init(
        at named: AccountServer, label: String, user: String, displayName: String?, password: Redacted<String>?,
        token: Redacted<String>?
    ) {
        let kind = named.kind
        let usual = AccountDefaults(kind)
        let (host, port) = Self.parts(of: named.place)
        let transport = named.transport.flatMap { Transport(rawValue: $0.rawValue) }
        self.init(
            kind: kind, label: label, user: user, displayName: displayName, server: host, port: port,
            transport: transport ?? (kind == .sip ? .tls : usual.transport), password: password, token: token,
            protection: kind == .sip ? .offered : usual.protection,
            ice: ICE(usual.policy, servers: usual.stun(at: host) + usual.turn(at: host)))
    }

    /// `host`, `host:port` or `[address]:port`.
    private static func parts(of server: String) -> (host: String, port: UInt16?) {
        HostAndPort(server).map { ($0.host, $0.port) } ?? (server, nil)
    }
}

extension StoredAccount {
    /// This account at the server that the backend named for its organisation. Nothing is known about that server, and
    /// it gets no secret of the account: the organisation's credentials bring their own.
    /// - Parameter server: Nil, or the account's own one: the account stays as it is.
    func at(_ server: AccountServer?) -> StoredAccount {
        guard let server else { return self }
        let other = Account(
            at: server, label: account.label, user: account.user, displayName: nil, password: nil, token: nil)
        let isOwn =
            (other.kind, other.server, other.port, other.transport)
            == (account.kind, account.server, account.port, account.transport)
        return isOwn ? self : StoredAccount(id: id, created: created, device: device, account: other)
    }
}
