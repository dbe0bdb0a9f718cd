/// The dialect of Verto that a server speaks. The two differ by the prefix of their methods, and in this table.
public enum VertoDialect: String, CaseIterable, Equatable, Sendable {
    /// `wss://rtc.telnyx.com`.
    case telnyx
    /// mod_verto of FreeSWITCH.
    case freeSWITCH

    private struct Row {
        let prefix: String
        let hasGateway: Bool
        let hasInstances: Bool
        let canTrickle: Bool
        let takesTokens: Bool
        let canTransfer: Bool
        let tellsOfRinging: Bool
    }

    private var row: Row {
        switch self {
        case .telnyx:
            Row(
                prefix: "telnyx_rtc.", hasGateway: true, hasInstances: true, canTrickle: true, takesTokens: true,
                canTransfer: false, tellsOfRinging: true)
        case .freeSWITCH:
            Row(
                prefix: "verto.", hasGateway: false, hasInstances: false, canTrickle: false, takesTokens: false,
                canTransfer: true, tellsOfRinging: false)
        }
    }

    /// The prefix of every method except `login`.
    var prefix: String { row.prefix }
    /// Whether calls work only after the server's gateway has registered the account.
    var hasGateway: Bool { row.hasGateway }
    /// Whether the server has named instances, and wants the program's name.
    var hasInstances: Bool { row.hasInstances }
    /// Whether candidates may follow a description. If not, a description holds them all.
    public var canTrickle: Bool { row.canTrickle }
    /// Whether the server reports that the far end rings. mod_verto has no message for it.
    public var tellsOfRinging: Bool { row.tellsOfRinging }
    /// Whether the server accepts a token in place of a user and a password.
    public var takesTokens: Bool { row.takesTokens }
    /// Whether the server can transfer a far end (`modify` with `transfer` and `replace`).
    public var canTransfer: Bool { row.canTransfer }
}

/// The methods of both dialects, without the prefix.
enum VertoMethod: String, CaseIterable, Sendable {
    case login
    case clientReady, gatewayState, ping, punt
    case invite, ringing, media, answer, display, bye, modify, info, candidate, endOfCandidates, attach
    /// Messages for web pages of conferences, which mean nothing for a telephone.
    case event, subscribe, unsubscribe, broadcast, prompt, mediaParams, announce

    /// Reads a server's method. Nil if this dialect does not have it.
    init?(_ name: String, in dialect: VertoDialect) {
        guard name.hasPrefix(dialect.prefix) else { return nil }
        self.init(rawValue: String(name.dropFirst(dialect.prefix.count)))
        switch self {
        case .gatewayState: if !dialect.hasGateway { return nil }
        case .candidate, .endOfCandidates: if !dialect.canTrickle { return nil }
        case .login, .clientReady, .ping, .punt, .invite, .ringing, .media, .answer, .display, .bye, .modify, .info,
            .attach, .event, .subscribe, .unsubscribe, .broadcast, .prompt, .mediaParams, .announce:
            break
        }
    }

    func name(in dialect: VertoDialect) -> String {
        self == .login ? rawValue : dialect.prefix + rawValue
    }
}
