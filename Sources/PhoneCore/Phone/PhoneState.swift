import Base

/// The whole state of a phone between two events.
struct PhoneState: Equatable, Codable, Sendable {
    enum Mode: Equatable, Codable, Sendable { case running, stopping, stopped }

    /// The limit for additional calls that are disconnecting, because those do not count against the limit of calls.
    static let spareCalls = 8
    static let mostAccounts = 64
    static let mostMissed = 100
    static let mostContacts = 1_000
    static let mostPeerKeys = 1_000
    static let mostInputs = 64

    var mode = Mode.running
    /// Oldest first.
    var calls: [Call] = []
    var recentCalls = RecentCalls()
    var actions = ActionLedger()

    // MARK: The person and the panel

    var hook: HookPosition?
    /// Since when the cradle has been down, while it is not clear yet whether that is a flash.
    var cradleDown: Instant?
    /// The activity of the person at the phone.
    var userAudio = UserAudioState.closed
    var consultation: Consultation?
    /// Nil in event logs of former versions, and while nobody was left on hold.
    var recall: Recall?
    var conference = false
    var panelFailed = false
    var clock: WeekTime?
    var relays: [UInt8: RelayHold] = [:]
    /// Nil in event logs of former versions, and while no wrong code was dialled.
    private var wrongTries: CodeTries?
    /// The inputs that call somebody, once they have moved.
    var alarms: [String: AlarmState] = [:]
    /// The inputs that are active. Nil in event logs of former versions, and while no input is active.
    private var activeInputs: Set<String>?

    // MARK: Sound

    var route: Route
    /// The route before the current one. The phone falls back to it when the device of the current one is lost.
    var routeBefore: Route
    /// Whether a person or a program chose the route.
    var routeIsChosen = false
    /// The headsets and Bluetooth devices that are there. The one that came last is the last.
    var presentDevices: [Route] = []
    var interruption = Interruption.none
    /// Routes whose sound devices are not there.
    var lostDevices: Set<Route> = []
    var recording: CallRecording?
    var playback: CallPlayback?
    /// The groups in which a page is under way. Nil in event logs of former versions, and while no page is under way.
    private var activePages: Set<UInt8>?
    /// The group whose page is heard.
    var page: UInt8?
    /// Nil in event logs of former versions, and while there are neither tests nor results.
    private var soundTests: SoundTestWatch?

    // MARK: Lines and the network

    var registrations: [AccountID: RegistrationState] = [:]
    var messages: [AccountID: Int] = [:]
    /// The states of watched numbers. Unknown states are left out.
    var watched: [WatchedNumber: WatchedState] = [:]
    var network = NetworkWatch()
    var context: OrganisationContext?
    var switching: OrganisationSwitch?
    /// Nil in event logs of former versions, and while there is nothing to know.
    private var backendState: BackendState?

    // MARK: Persistent state

    var settings = PhoneSettings()
    var contacts: [Contact] = []
    /// The newest unseen missed calls, and the number of the older ones.
    var missed: [MissedCall] = []
    var missedBefore = 0
    var lastDialled: String?
    /// The fingerprints of far ends with which words were compared, oldest first. Nil in event logs of former versions.
    var peerKeys: [PeerFingerprint]?
    /// The number of calls that lines refused in this run.
    var refusedCalls: UInt32 = 0
    /// The vault's record of the call that is up.
    var kept: PersistedCall?
    /// The vault's records of the calls that ring. Nil in event logs of former versions, and while no call rings.
    var keptRinging: [RingingCall]?

    // MARK: Numbering

    var callsMade: UInt32 = 0
    var panelActions: UInt64 = 0
    var contextWrites: UInt32 = 0
    var playbacks: UInt32 = 0

    /// The names in event logs. Former versions wrote `ear` and `book`.
    private enum CodingKeys: String, CodingKey {
        case mode, calls
        case recentCalls = "book"
        case actions, hook, cradleDown
        case userAudio = "ear"
        case consultation, recall, conference, panelFailed, clock, relays, wrongTries, alarms
        case activeInputs = "inputs"
        case route, routeBefore, routeIsChosen, presentDevices, interruption, lostDevices, recording, playback
        case activePages = "pages"
        case page
        case soundTests = "soundTest"
        case registrations, messages, watched, network, context, switching
        case backendState = "backend"
        case settings, contacts, missed, missedBefore, lastDialled, peerKeys, refusedCalls, kept, keptRinging
        case callsMade, panelActions, contextWrites, playbacks
    }

    init(policy: PhonePolicy) {
        route = policy.defaultRoute
        routeBefore = policy.defaultRoute
    }

    var codeTries: CodeTries {
        get { wrongTries ?? CodeTries() }
        set { wrongTries = newValue == CodeTries() ? nil : newValue }
    }

    var pages: Set<UInt8> {
        get { activePages ?? [] }
        set { activePages = newValue.isEmpty ? nil : newValue }
    }

    var soundTest: SoundTestWatch {
        get { soundTests ?? SoundTestWatch() }
        set { soundTests = newValue == SoundTestWatch() ? nil : newValue }
    }

    var backend: BackendState {
        get { backendState ?? BackendState() }
        set { backendState = newValue == BackendState() ? nil : newValue }
    }

    var inputs: Set<String> {
        get { activeInputs ?? [] }
        set { activeInputs = newValue.isEmpty ? nil : newValue }
    }

    subscript(id: CallID) -> Call? {
        get { index(of: id).map { calls[$0] } }
        set {
            guard let index = index(of: id) else { return }
            if let newValue { calls[index] = newValue } else { calls.remove(at: index) }
        }
    }

    /// The call's index in `calls`. A span lends each element, where an array's iterator would copy it.
    func index(of id: CallID) -> Int? {
        let calls = calls.span
        for index in calls.indices where calls[index].id == id { return index }
        return nil
    }

    /// The call that its line identifies by this leg.
    func call(ofLeg leg: CallID) -> Call? { calls.first { $0.leg == leg } }
}
