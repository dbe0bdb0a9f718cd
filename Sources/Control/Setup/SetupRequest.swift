import PhoneCore

/// A client's request to set up the phone.
public enum SetupRequest: Equatable, Sendable {
    public enum DevicePart: String, CaseIterable, Sendable {
        /// A tone for a second.
        case play
        /// Record three seconds of the microphone, and play them.
        case record
    }

    /// Report the present state, and the parts of this machine.
    case look
    /// Try `device` instead of the route's own.
    case tryDevice(Route, DevicePart, device: String?)
    /// Play a tone on the ringer, or on `device` instead.
    case tryRinger(device: String?)
    /// Register with the server, then unregister.
    case tryAccount(AccountDraft)
    /// Add the last tried account, whose trial has this number.
    case addTried(trial: Int64)
    case addAccount(AccountDraft)
    /// Fields that are nil keep their values.
    case changeAccount(AccountID, AccountDraft)
    case removeAccount(AccountID)
    /// Show the changes of the files for these choices.
    case plan(SetupChoices)
    /// Write the last plan, which has this number.
    case write(plan: Int64)
    /// Restart the phone, so that it reads its files again.
    case restart
    /// Read the configuration again, and apply what can change while the phone runs.
    case reload

    /// Nil for another method.
    /// - Parameter labels: The accounts' labels, for people.
    init?(method: MethodName, _ params: RPCParams, labels: [AccountID: String]) throws(RPCError) {
        switch method {
        case .getSetup: self = .look
        case .tryDevice: self = try Self.trial(params)
        case .tryAccount: self = .tryAccount(try AccountDraft(params, changes: false))
        case .addAccount: self = try Self.addition(params)
        case .changeAccount:
            let account = try Self.account(params, labels)
            self = .changeAccount(account, try AccountDraft(params, changes: true))
        case .removeAccount: self = .removeAccount(try Self.account(params, labels))
        case .planSetup: self = .plan(try SetupChoices(params))
        case .writeSetup: self = .write(plan: try params.integer("plan", in: 1...Int64.max))
        case .restart: self = .restart
        case .reload: self = .reload
        default: return nil
        }
    }

    private static func addition(_ params: RPCParams) throws(RPCError) -> SetupRequest {
        guard params.has("trial") else { return .addAccount(try AccountDraft(params, changes: false)) }
        guard !AccountDraft.Field.allCases.contains(where: { params.has($0.rawValue) }) else {
            throw .invalidParams("trial names a whole account; give it alone, or give the account's fields")
        }
        return .addTried(trial: try params.integer("trial", in: 1...Int64.max))
    }

    private static func account(_ params: RPCParams, _ labels: [AccountID: String]) throws(RPCError) -> AccountID {
        guard let account = try params.account(labels) else {
            throw .invalidParams("account must be the label or the number of an account")
        }
        return account
    }

    /// The word for the ringer, which is no route, in `tryDevice`.
    static let ringer = "ringer"

    private static func trial(_ params: RPCParams) throws(RPCError) -> SetupRequest {
        let words = Route.allCases.map { (word: $0.rawValue, value: Route?.some($0)) } + [(ringer, nil)]
        let route = try params.choice("route", words)
        let part: DevicePart = try params.choice("part")
        let device = try params.optionalText("device", limit: SetupChoices.longest)
        if let route { return .tryDevice(route, part, device: device) }
        guard part == .play else { throw .invalidParams("a ringer has no microphone, so part must be play") }
        return .tryRinger(device: device)
    }
}
