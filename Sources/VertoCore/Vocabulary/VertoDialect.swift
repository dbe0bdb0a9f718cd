/// The dialect of Verto that a server speaks. The two differ by the prefix of their methods, and in what this table says.
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

    /// What stands before every method but `login`.
    var prefix: String { row.prefix }
    /// Whether calls work only when the server's gateway says that it has registered the account.
    var hasGateway: Bool { row.hasGateway }
    /// Whether the server has instances by name, and wants to know which program calls it.
    var hasInstances: Bool { row.hasInstances }
    /// Whether candidates may follow a description. If not, a description holds them all.
    public var canTrickle: Bool { row.canTrickle }
    /// Whether the server says that the other phone rings. mod_verto has no message for it.
    public var tellsOfRinging: Bool { row.tellsOfRinging }
    /// Whether a token is taken in place of a user and a password.
    public var takesTokens: Bool { row.takesTokens }
    /// Whether the server gives a far end to another party (`modify` with `transfer` and `replace`).
    public var canTransfer: Bool { row.canTransfer }
}
