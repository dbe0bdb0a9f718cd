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
    /// Store the last tried account, whose trial has this number.
    case addAccount(trial: Int64)
    /// Show the changes of the files for these choices.
    case plan(SetupChoices)
    /// Write the last plan, which has this number.
    case write(plan: Int64)
    /// Restart the phone, so that it reads files and accounts again.
    case restart
    /// Read the configuration again, and apply what can change while the phone runs.
    case reload

    /// Nil for another method.
    init?(method: MethodName, _ params: RPCParams) throws(RPCError) {
        switch method {
        case .getSetup: self = .look
        case .tryDevice: self = try Self.trial(params)
        case .tryAccount: self = .tryAccount(try AccountDraft(params))
        case .addAccount: self = .addAccount(trial: try params.integer("trial", in: 1...Int64.max))
        case .planSetup: self = .plan(try SetupChoices(params))
        case .writeSetup: self = .write(plan: try params.integer("plan", in: 1...Int64.max))
        case .restart: self = .restart
        case .reload: self = .reload
        default: return nil
        }
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
