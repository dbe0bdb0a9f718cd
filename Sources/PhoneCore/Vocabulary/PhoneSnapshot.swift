import Base

/// Everything another program needs to draw the phone.
public struct PhoneSnapshot: Equatable, Codable, Sendable {
    public var calls: [CallSummary]
    /// The newest figures of each call whose voice was measured.
    public var qualities: [CallID: VoiceQuality]
    public var hook: HookPosition?
    /// The digits dialled since the dial tone.
    public var digits: String
    public var muted: Bool
    public var route: Route
    public var tone: Tone?
    public var registrations: [AccountID: RegistrationState]
    public var lamps: [Lamp: LampPattern]
    public var ringing: Bool
    public var settings: PhoneSettings
    /// The newest unseen missed calls, those of former runs included. Oldest first, at most 100.
    public var missed: [MissedCall]
    /// The number of all unseen missed calls.
    public var missedCount: Int
    public var messagesWaiting: Int
    /// The waiting messages by account, for accounts that have any. Nil: no account has any.
    public var messages: [AccountID: Int]?
    /// Without a report of a path, one is assumed to exist.
    public var network: NetworkStatus
    /// Nil: no path has been reported.
    public var networkKind: NetworkPath.Kind?
    public var organisation: Organisation?
    /// The organisation to which the phone is changing.
    public var switchingTo: OrganisationID?
    /// Whether a backend signs the phone in. Nil: none does.
    public var hasBackend: Bool?
    /// Nil: the phone is not signed in at a backend.
    public var signIn: SignInStatus?
    /// The user's organisations, as the backend listed them last. Nil: it has not listed any.
    public var organisations: [KnownOrganisation]?
    /// In how many days the credentials become invalid. Nil: not soon.
    public var credentialsExpireInDays: Int?
    /// Nil: all inputs and relays are at rest.
    public var panel: PanelStates?
    public var conference: Bool
    public var interrupted: Bool
    /// The call that is being recorded.
    public var recording: CallID?
    /// The file that is played into a call.
    public var playback: Playback?
    /// The page that is heard.
    public var page: Page?
    /// The page that this phone sends.
    public var sentPage: Page?
    /// The result of the last test of loudspeaker and microphone.
    public var soundTest: SoundTestResult?
    /// Routes whose sound devices are missing.
    public var lostDevices: Set<Route>
    /// Whether the panel does not work. Nil: it does.
    public var panelFailed: Bool?
    /// The display's content. Nil: the policy has no language for it.
    public var display: DisplayContent?
    /// The number of calls that lines refused in this run.
    public var refusedCalls: Int
    /// The most wrong codes that count for a caller, and until when codes of some caller are locked.
    public var wrongCodes: Int
    public var codesLockedUntil: Instant?

    public init(
        calls: [CallSummary], hook: HookPosition?, digits: String, muted: Bool, route: Route, tone: Tone?,
        registrations: [AccountID: RegistrationState], lamps: [Lamp: LampPattern], ringing: Bool,
        settings: PhoneSettings = PhoneSettings(), missed: [MissedCall] = [], missedCount: Int = 0,
        messagesWaiting: Int = 0, messages: [AccountID: Int]? = nil, network: NetworkStatus = .connected,
        networkKind: NetworkPath.Kind? = nil,
        organisation: Organisation? = nil, switchingTo: OrganisationID? = nil,
        hasBackend: Bool? = nil, signIn: SignInStatus? = nil, organisations: [KnownOrganisation]? = nil,
        credentialsExpireInDays: Int? = nil,
        panel: PanelStates? = nil, conference: Bool = false, interrupted: Bool = false,
        recording: CallID? = nil, playback: Playback? = nil, page: Page? = nil, sentPage: Page? = nil,
        soundTest: SoundTestResult? = nil,
        refusedCalls: Int = 0, wrongCodes: Int = 0, codesLockedUntil: Instant? = nil,
        lostDevices: Set<Route> = [], panelFailed: Bool? = nil, display: DisplayContent? = nil,
        qualities: [CallID: VoiceQuality] = [:]
    ) {
        self.calls = calls
        self.qualities = qualities
        self.hook = hook
        self.digits = digits
        self.muted = muted
        self.route = route
        self.tone = tone
        self.registrations = registrations
        self.lamps = lamps
        self.ringing = ringing
        self.settings = settings
        self.missed = missed
        self.missedCount = missedCount
        self.messagesWaiting = messagesWaiting
        self.messages = messages
        self.network = network
        self.networkKind = networkKind
        self.organisation = organisation
        self.switchingTo = switchingTo
        self.hasBackend = hasBackend
        self.signIn = signIn
        self.organisations = organisations
        self.credentialsExpireInDays = credentialsExpireInDays
        self.panel = panel
        self.conference = conference
        self.interrupted = interrupted
        self.recording = recording
        self.playback = playback
        self.page = page
        self.sentPage = sentPage
        self.soundTest = soundTest
        self.refusedCalls = refusedCalls
        self.lostDevices = lostDevices
        self.panelFailed = panelFailed
        self.display = display
        self.wrongCodes = wrongCodes
        self.codesLockedUntil = codesLockedUntil
    }
}
