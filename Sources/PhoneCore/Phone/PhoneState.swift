import Base

/// All that a phone knows between two events.
struct PhoneState: Equatable, Codable, Sendable {
    enum Mode: Equatable, Codable, Sendable { case running, stopping, stopped }

    /// Calls that say goodbye do not count against the limit of calls, but they are not without limit.
    static let spareCalls = 8
    static let mostAccounts = 64
    static let mostMissed = 100
    static let mostContacts = 1_000

    var mode = Mode.running
    /// Oldest first.
    var calls: [Call] = []
    var book = RecentCalls()
    var actions = ActionLedger()

    // MARK: The person and the panel

    var hook: HookPosition?
    /// Since when the cradle is down and it is not clear yet whether that is a flash.
    var cradleDown: Instant?
    /// What the person here hears; recordings know it by this name.
    var ear = UserAudioState.closed
    var consultation: Consultation?
    var conference = false
    var panelFailed = false
    var clock: WeekTime?
    var relays: [UInt8: RelayHold] = [:]
    /// Until when far ends may dial codes in vain.
    var codesLockedUntil: Instant?

    // MARK: Sound

    var route: Route
    /// Where the route falls back to when its device vanishes.
    var routeBefore: Route
    var interruption = Interruption.none
    /// Routes whose sound devices are not there.
    var lostDevices: Set<Route> = []
    var recording: CallRecording?
    var playback: CallPlayback?

    // MARK: Lines and the network

    var registrations: [AccountID: RegistrationState] = [:]
    var messages: [AccountID: Int] = [:]
    /// What is known of numbers that are watched; unknown is left out.
    var watched: [WatchedNumber: WatchedState] = [:]
    var network = NetworkWatch()
    var context: OrganisationContext?
    var switching: OrganisationSwitch?

    // MARK: What outlives the program

    var settings = PhoneSettings()
    var contacts: [Contact] = []
    /// Unseen missed calls of this run, and how many of former ones.
    var missed: [MissedCall] = []
    var missedBefore = 0
    var lastDialled: String?
    /// Calls of this run that lines turned away.
    var refusedCalls: UInt32 = 0
    /// What the vault keeps of the call that is up.
    var kept: PersistedCall?

    // MARK: Numbering

    var callsMade: UInt32 = 0
    var panelActions: UInt64 = 0
    var contextWrites: UInt32 = 0
    var playbacks: UInt32 = 0

    init(policy: PhonePolicy) {
        route = policy.defaultRoute
        routeBefore = policy.defaultRoute
    }

    subscript(id: CallID) -> Call? {
        get { calls.first { $0.id == id } }
        set {
            guard let index = calls.firstIndex(where: { $0.id == id }) else { return }
            if let newValue { calls[index] = newValue } else { calls.remove(at: index) }
        }
    }

    /// The call that a line means.
    func call(ofLeg leg: CallID) -> Call? { calls.first { $0.leg == leg } }
}
