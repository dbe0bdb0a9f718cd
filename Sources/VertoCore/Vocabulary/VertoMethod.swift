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
