import Base

/// The integrator's decisions about the phone's behaviour: limits, times, preferences.
///
/// The defaults are the numbers of the specification. Every duration is positive.
public struct PhonePolicy: Equatable, Codable, Sendable {
    // MARK: Calls

    /// The accounts that exist, the direct line included. Nil: any account may exist.
    public var accounts: Set<AccountID>?
    /// The account that a number is dialled with when a request names none.
    public var defaultAccount = AccountID.direct
    /// The accounts of the line keys, in order; at most 8.
    public var lineKeys: [AccountID] = []
    /// The organisations that accounts serve. Nil: none is known except that of the current context.
    public var organisations: [AccountID: OrganisationID]?
    /// Whether a backend signs the phone in. Nil: none does.
    public var hasBackend: Bool?
    /// Calls that may exist at once, 1...8. Outside a conference, only one of them has sound.
    public var maximumCalls = 2
    /// Whether a person may have two calls hear each other.
    public var mixesCalls = true
    /// Whether calls may be recorded.
    public var recordsCalls = false
    /// Whether files may be played into calls.
    public var playsFiles = false
    /// Whether a far end that is held here hears music, where the negotiation allows it.
    public var playsHoldMusic = false
    /// The refusal that a declined caller gets.
    public var declinedAs = CallRejection.declined
    /// Whether the phone calls another target if a far end asks for it and a person agrees. The account pays for the
    /// call.
    public var followsTransfers = false
    /// The accounts whose servers cannot transfer a far end. Nil: none.
    public var withoutTransfer: Set<AccountID>?
    /// Numbers that a far end may have the phone call without asking a person. Nil: none.
    public var transferTargets: DialPlan?
    /// Nil: the vault keeps a history of calls.
    public var keepsNoHistory: Bool?
    /// How digits are sent to far ends.
    public var dtmf = DTMFMode.automatic
    /// The longest time that a call may last. Nil: no limit.
    public var maximumCallTime: Duration?
    /// The callers that are answered automatically. Empty: none.
    public var autoAnswer = AutoAnswerPolicy()
    /// The numbers of callers that are refused. They are compared like the numbers of contacts.
    public var blocked: [String] = []
    /// Whether callers that withhold their number are refused.
    public var blocksWithheld = false

    /// Nil: no pages are heard or sent.
    public var paging: PagingPolicy?
    /// Nil: loudspeaker and microphone are tested on request only.
    public var soundTest: SoundTestPolicy?

    // MARK: Announcing

    public var announcer = Announcer.both
    public var ringCadence = RingCadence([.seconds(1), .seconds(4)])
    /// The rings, by the name that a contact, Alert-Info or an account asks for.
    public var rings: [String: RingCadence] = [:]
    public var accountRings: [AccountID: String] = [:]
    /// How long after its arrival a call may be announced. A later call is refused.
    public var announceTime = Duration.seconds(5)
    /// How long a call announced by caller info waits for a line to offer it.
    public var offerTime = Duration.seconds(5)
    /// Caller info older than this is dropped.
    public var infoAge = Duration.seconds(30)
    /// How long an ended call is remembered, for the source that has not reported it yet.
    public var memoryTime = Duration.seconds(10)

    /// How long a call rings here, and how long one rings there, before it ends unanswered.
    public var ringingInTime = Duration.seconds(30)
    public var ringingOutTime = Duration.seconds(180)

    // MARK: Actions

    /// An action is fulfilled or failed within these times. The time for an answer covers line, signalling and media.
    public var answerTime = Duration.seconds(5)
    public var startTime = Duration.seconds(5)
    public var endTime = Duration.seconds(2)
    public var actionTime = Duration.seconds(2)

    /// How long the setup of media may take after the far end answered.
    public var connectTime = Duration.seconds(5)
    /// How long a person may consider a call that a far end asks for. A line waits at least as long.
    public var consentTime = Duration.seconds(20)
    /// How long hold or resume may be negotiated: a little more than a SIP transaction lives (RFC 3261 §17.1.1.2).
    public var negotiationTime = Duration.seconds(33)
    /// The time limits for the backend's answer to a change of organisation, and for the whole change.
    public var switchAnswerTime = Duration.seconds(4)
    public var switchTime = Duration.milliseconds(4_500)
    /// How long the backend may take to begin or end a sign-in, and to list the organisations.
    public static let backendTime = Duration.seconds(30)

    // MARK: Network and sound

    /// Media reports silence after `silenceReportedAfter`; the call is lost after `silenceTime` of it.
    public var silenceTime = Duration.seconds(30)
    public var silenceReportedAfter = Duration.seconds(5)
    /// A new path must last so long; a path that comes back sooner counts as never lost.
    public var networkBlipTime = Transition.usualNetworkBlip
    /// How long a call waits for the network to come back.
    public var networkTime = Duration.seconds(30)
    /// How long a call may take to move to another address, from the moment the path broke.
    public var reconnectTime = Duration.seconds(60)
    /// How long something more important may have the sound before the calls are put on hold.
    public var interruptionTime = Duration.seconds(30)

    public var defaultRoute = Route.handset

    // MARK: The panel

    public var dialPlan = DialPlan.open
    /// Short service numbers. They are dialled although they are shorter than three characters.
    public var shortNumbers: Set<String> = []
    public var speedDials: [UInt8: SpeedDial] = [:]
    /// The organisations of speed-dial keys, by the keys' numbers, which are not in `speedDials`. Nil: none.
    public var organisationKeys: [UInt8: OrganisationID]?
    /// The number of each account's messages.
    public var voicemail: [AccountID: String] = [:]
    /// The account's code that picks up a ringing call, dialled before the call's number. Accounts without such a code
    /// are absent.
    public var pickupCodes: [AccountID: String] = [:]
    public var relays: [UInt8: RelayPolicy] = [:]
    /// The alarms of the board's inputs, by the inputs' names.
    public var alarms: [String: AlarmPolicy] = [:]
    /// How long the cradle is down for a flash. A longer time hangs up, a shorter one is ignored. Nil: the cradle hangs
    /// up at once.
    public var flash: FlashTimes?
    /// The language of the display. Nil: the display's content is not reported.
    public var displayLanguage: DisplayLanguage?
    /// Whether replacing the handset beside a ringing phone declines the call.
    public var onHookDeclines = false

    /// The pause after the last digit that causes dialling.
    public var digitTime = Duration.seconds(4)
    /// How long a handset may be off the hook without dialling, or after a call. Then the congestion tone follows, then
    /// the howler, then silence.
    public var offHookTime = Duration.seconds(30)
    public var congestionTime = Duration.seconds(20)
    public var howlerTime = Duration.seconds(30)
    /// How long a failure tone is heard when no handset has to be replaced.
    public var handsFreeToneTime = Duration.seconds(5)

    public init() {}

    /// Whether anything depends on the time of the week.
    public var asksTheTime: Bool {
        (Array(speedDials.values) + alarms.values.map(\.dial)).contains { !$0.hours.isEmpty }
            || soundTest?.hours != nil
    }

    /// The upper limit of every duration.
    private static let longest = Duration.seconds(366 * 86_400)

    /// Whether limits and times are in range. Configuration is checked, key by key, where it is read.
    package var isSound: Bool {
        (1...8).contains(maximumCalls) && lineKeys.count <= Key.lineKeys.count && silenceTime > silenceReportedAfter
            && switchTime > switchAnswerTime && flash.map { $0.shortest < $0.longest } ?? true
            && speedDials.values.allSatisfy(\.isSound) && speedDials.keys.allSatisfy { organisationKeys?[$0] == nil }
            && alarms.values.allSatisfy(\.dial.isSound)
            && soundTest?.isSound ?? true && times.allSatisfy { $0 > .zero && $0 <= Self.longest }
    }

    private var times: [Duration] {
        let optional = [maximumCallTime, flash?.shortest, flash?.longest, soundTest?.every].compactMap(\.self)
        let pages = paging?.groups.compactMap(\.longestSent) ?? []
        return optional + pages + relays.values.map(\.pulse) + alarms.values.flatMap { [$0.wait, $0.pause] } + [
            silenceTime, silenceReportedAfter, switchTime, announceTime, offerTime, infoAge, memoryTime, ringingInTime,
            ringingOutTime, answerTime, startTime, endTime, consentTime,
            actionTime, connectTime, negotiationTime, switchAnswerTime, networkBlipTime, networkTime, reconnectTime,
            interruptionTime, digitTime, offHookTime, congestionTime, howlerTime, handsFreeToneTime,
        ]
    }
}

/// The announcer of a call to a person. The control interface is always informed.
public enum Announcer: String, CaseIterable, Codable, Sendable {
    /// Bell, ring lamp and waiting tone.
    case panel
    /// Neither bell nor waiting tone: for a kiosk whose screen announces calls.
    case interface
    case both
}

/// How the digits of a call are sent to its far end.
public enum DTMFMode: String, CaseIterable, Codable, Sendable {
    /// Telephone events where both ends agreed on them, else signalling. Digits that the far end refuses become sound.
    case automatic
    /// Telephone events (RFC 4733), or nothing at all.
    case events
    /// Signalling (SIP INFO), or nothing at all.
    case info
    /// The key's two tones, in the voice.
    case inBand = "in-band"
}

/// Automatic answer, for listed callers only.
public struct AutoAnswerPolicy: Equatable, Codable, Sendable {
    /// The callers, by numbers that a trusted source vouches for.
    public var callers: [ListedCaller] = []
    /// Only when the caller asks for it too (Alert-Info, Answer-Mode).
    public var onlyWhenAsked = true
    public var route = Route.speaker

    public init() {}
}

public struct RelayPolicy: Equatable, Codable, Sendable {
    /// Nil: no far end can switch the relay.
    public var code: RelayCode?
    public var pulse: Duration
    /// Whether the code works only once in a call.
    public var once: Bool

    /// - Precondition: a pulse that takes time.
    public init(code: RelayCode? = nil, pulse: Duration = .seconds(3), once: Bool = false) {
        precondition(pulse > .zero, "a pulse takes time")
        self.code = code
        self.pulse = pulse
        self.once = once
    }
}

public struct FlashTimes: Equatable, Codable, Sendable {
    public var shortest: Duration
    public var longest: Duration

    public init(shortest: Duration = .milliseconds(100), longest: Duration = .milliseconds(900)) {
        (self.shortest, self.longest) = (shortest, longest)
    }
}

/// A caller with a permission from a list: to be answered automatically, or to open a door.
///
/// The match is exact. `200` is user 200 of the account's own domain, as its server writes it, and not an outside
/// number that ends in 200. `200@other.example` is a different caller. A host alone is any caller from there.
public struct ListedCaller: Hashable, Codable, Sendable {
    /// The number without the separators that people write. Nil: any caller of the domain.
    public var number: String?
    /// The domain in lower case. Nil: the account's own.
    public var domain: String?

    /// - Precondition: a number or a domain.
    public init(_ number: String?, domain: String? = nil) {
        precondition(number != nil || domain != nil, "a list names somebody")
        self.number = number.map { Self.written($0) }
        self.domain = domain?.lowercased()
    }

    public func matches(_ caller: AssertedNumber) -> Bool {
        domain == caller.domain && number.map { $0 == Self.shown(caller.number) } ?? true
    }

    /// An entry as the list means it. People write separators as they like; names are equal in upper and lower case.
    private static func written(_ number: String) -> String {
        let isNumber = number.utf8.allSatisfy { "+0123456789*# -./()".utf8.contains($0) }
        return isNumber ? number.filter { !" -./()".contains($0) } : number.lowercased()
    }

    /// A caller as a server writes it. Separators mean nothing only in global numbers (RFC 3966 §5.1.1): a server may
    /// have a user `2-0-0` who is not user `200`.
    private static func shown(_ number: String) -> String {
        number.hasPrefix("+") ? written(number) : number.lowercased()
    }
}
