import BackendCore
import Base
import PhoneCore
import Vault

extension PhoneCore.SignInCode {
    init(_ code: BackendCore.SignInCode, now: Instant) {
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

extension PhoneCore.SignInFailure {
    init(_ failure: BackendCore.SignInFailure) {
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
                callerNumber: credentials.callerNumber, loginToken: credentials.loginToken))
    }
}

extension Account {
    /// The account that a sign-in brings. Nil: the backend names no server.
    init?(_ credentials: BackendCredentials) {
        let kind = Kind(rawValue: credentials.kind.rawValue) ?? .sip
        let usual = AccountDefaults(kind)
        guard let server = credentials.server ?? usual.server else { return nil }
        let (host, port) = Self.parts(of: server)
        let transport = credentials.transport.flatMap { Transport(rawValue: $0.rawValue) }
        self.init(
            kind: kind, label: "backend",
            user: credentials.user, displayName: credentials.callerName, server: host, port: port,
            transport: transport ?? (kind == .sip ? .tls : usual.transport), password: credentials.password,
            token: credentials.loginToken, protection: kind == .sip ? .offered : usual.protection,
            ice: ICE(usual.policy, servers: usual.stun(at: host) + usual.turn(at: host)))
    }

    /// `host`, `host:port` or `[address]:port`.
    private static func parts(of server: String) -> (host: String, port: UInt16?) {
        guard let colon = server.lastIndex(of: ":"), let port = UInt16(server[server.index(after: colon)...]), port > 0
        else { return (server, nil) }
        let host = server[..<colon]
        guard host.contains(":") else { return (String(host), port) }
        return host.hasPrefix("[") && host.hasSuffix("]") ? (String(host.dropFirst().dropLast()), port) : (server, nil)
    }
}
