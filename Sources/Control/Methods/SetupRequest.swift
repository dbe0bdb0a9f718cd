import JSON
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

    static func addition(_ params: RPCParams) throws(RPCError) -> SetupRequest {
        guard params.has("trial") else { return .addAccount(try AccountDraft(params, changes: false)) }
        guard !AccountDraft.Field.allCases.contains(where: { params.has($0.rawValue) }) else {
            throw .invalidParams("trial names a whole account; give it alone, or give the account's fields")
        }
        return .addTried(trial: try params.integer("trial", in: 1...Int64.max))
    }

    /// The word for the ringer, which is no route, in `tryDevice`.
    static let ringer = "ringer"

    static func trial(_ params: RPCParams) throws(RPCError) -> SetupRequest {
        let words = Route.allCases.map { (word: $0.rawValue, value: Route?.some($0)) } + [(ringer, nil)]
        let route = try params.choice("route", words)
        let part: DevicePart = try params.choice("part")
        let device = try params.optionalText("device", limit: SetupChoices.longest)
        if let route { return .tryDevice(route, part, device: device) }
        guard part == .play else { throw .invalidParams("a ringer has no microphone, so part must be play") }
        return .tryRinger(device: device)
    }
}

/// A person's choices of sound, panel and trust on a page. A missing choice leaves the files unchanged. The texts are
/// unchecked; the planner accepts only what this machine has.
public struct SetupChoices: Equatable, Sendable {
    public enum Name: String, CaseIterable, Sendable {
        case country, handset, speaker, headset, ringer, board, label, pin, authorities

        /// The meaning, as Markdown.
        var does: String {
            switch self {
            case .country: "country of the tones: one of `sound.countries`"
            case .handset: "a device of `sound.cards`, the present one, `null` or `none`"
            case .speaker: "a device of `sound.cards`, the present one, or `none`"
            case .headset, .ringer: "as `speaker`"
            case .board: "name of one of `panel.boards` that fits"
            case .label: "account for `pin`"
            case .pin: "as in `tryAccount`; needs `label`"
            case .authorities: "as in `tryAccount`, for every account"
            }
        }
    }

    /// In bytes.
    static let longest = 256

    private var texts: [Name: String] = [:]

    public init() {}

    init(_ params: RPCParams) throws(RPCError) {
        for name in Name.allCases { texts[name] = try params.optionalText(name.rawValue, limit: Self.longest) }
        guard (self[.pin] == nil) == (self[.label] == nil) else {
            throw .invalidParams("pin and label must be given together")
        }
    }

    public subscript(name: Name) -> String? {
        get { texts[name] }
        set { texts[name] = newValue }
    }
}

/// The functions that set up the phone. Both are called on the control thread and do not block.
public struct SetupControls: Sendable {
    /// Takes a request with the phone's present state. Answers it once, with `Control.answer` and the same action.
    public var ask: @Sendable (ActionID, SetupRequest, PhoneSnapshot) -> Void
    /// Ends a trial whose client is gone.
    public var stop: @Sendable (ActionID) -> Void

    public init(
        ask: @escaping @Sendable (ActionID, SetupRequest, PhoneSnapshot) -> Void,
        stop: @escaping @Sendable (ActionID) -> Void
    ) {
        (self.ask, self.stop) = (ask, stop)
    }
}

/// The progress of a setup request.
enum SetupStage {
    /// It waits for its first snapshot.
    case waits(SetupRequest)
    /// The setup functions have it, and will answer it.
    case begun
}

/// Handles setup requests. Each begins with a snapshot, because the allowed trials depend on the phone's state.
extension Exchange {
    func askForSetup(_ request: SetupRequest, from asker: Asker) throws(RPCError) {
        guard host.setup != nil else { throw .hasNoSetup }
        let action = try ticket(for: asker, .everything)
        setups[action] = .waits(request)
        post(action, .status)
    }

    /// - Returns: Whether the snapshot was for a setup request, which is answered later.
    func beginSetup(_ action: ActionID, with snapshot: PhoneSnapshot) -> Bool {
        guard case .waits(let request)? = setups[action] else { return false }
        setups[action] = .begun
        host.setup?.ask(action, request, snapshot)
        return true
    }

    /// Ends an action of the phone. For a setup request, that was only the snapshot.
    func finish(_ action: ActionID, _ result: Result<JSONValue, RPCError>) {
        if case .begun? = setups[action] { return }
        settle(action, result)
    }

    /// Ends setup requests whose clients are gone.
    func stopSetups(_ actions: some Sequence<ActionID>) {
        for action in actions {
            setups[action] = nil
            host.setup?.stop(action)
        }
    }
}
