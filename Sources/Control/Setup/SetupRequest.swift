import PhoneCore

/// What a program asks for to set the phone up.
public enum SetupRequest: Equatable, Sendable {
    public enum DevicePart: String, CaseIterable, Sendable {
        /// A tone of a second.
        case play
        /// Three seconds of the microphone, which are played back.
        case record
    }

    /// What is done already, and what this machine has.
    case look
    /// `device` is tried instead of the route's own.
    case tryDevice(Route, DevicePart, device: String?)
    /// A tone on what rings; `device` is tried instead of the ringer's own.
    case tryRinger(device: String?)
    /// Registers at the server, and takes that back.
    case tryAccount(AccountDraft)
    /// Keeps the account that was tried last, whose trial has this number.
    case addAccount(trial: Int64)
    /// Shows what would be written into the files for these choices.
    case plan(SetupChoices)
    /// Writes what was planned last, whose plan has this number.
    case write(plan: Int64)
    /// Ends the phone and starts it again, so that it reads its files and its accounts anew.
    case restart

    /// Nil: it is another method.
    init?(method: MethodName, _ params: RPCParams) throws(RPCError) {
        switch method {
        case .getSetup: self = .look
        case .tryDevice: self = try Self.trial(params)
        case .tryAccount: self = .tryAccount(try AccountDraft(params))
        case .addAccount: self = .addAccount(trial: try params.integer("trial", in: 1...Int64.max))
        case .planSetup: self = .plan(try SetupChoices(params))
        case .writeSetup: self = .write(plan: try params.integer("plan", in: 1...Int64.max))
        case .restart: self = .restart
        default: return nil
        }
    }

    /// What `tryDevice` takes for the ringer, which is no route.
    static let ringer = "ringer"

    private static func trial(_ params: RPCParams) throws(RPCError) -> SetupRequest {
        let words = Route.allCases.map { (word: $0.rawValue, value: Route?.some($0)) } + [(ringer, nil)]
        let route = try params.choice("route", words)
        let part: DevicePart = try params.choice("part")
        let device = try params.optionalText("device", limit: SetupChoices.longest)
        if let route { return .tryDevice(route, part, device: device) }
        guard part == .play else { throw .invalidParams("a ringer has no microphone, so its part is play") }
        return .tryRinger(device: device)
    }
}
