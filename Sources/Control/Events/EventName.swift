import Base
import JSON
import PhoneCore

/// The events of the interface. `EventName.reference` describes each, and `EventNaming` makes them.
public enum EventName: String, CaseIterable, Sendable {
    case clientReady, connected, disconnected
    /// Events of a stream were lost, because the client resumed it too late.
    case reset
    case incomingCall, callStarted, callRinging, callConnecting, callAnswered, callHeld, callResumed
    case callReconnecting, callReconnected, callDisconnecting, callDisplayUpdated
    case callEnded, callFailed, missedCall, missedCallsSeen, callRefused, answeredElsewhere
    case transferRequested, transferAnswered, transferFailed, codeTried, alarmRaised
    case callDurationUpdated, callQualityUpdated, firstVoice, dtmfSent, dtmfReceived, textReceived
    case muteStateChanged, audioRouteChanged, speakerStateChanged, ringerChanged, doNotDisturbChanged
    case interruptionChanged, volumeChanged, toneChanged, panelChanged, displayChanged
    case registrationChanged, accountsChanged, messagesWaiting
    case recordingStarted, recordingEnded, playbackStarted, playbackEnded
    case pageStarted, pageEnded, pageNotHeard
    case pageSendingStarted, pageSendingEnded, soundTested
    case networkStatusChanged, networkTransition, networkTimeout
    case organizationSwitching, organizationSwitched, organizationSwitchFailed
    case signInCode, signInFailed, signedIn, signedOut, signInNeeded, credentialsRenewed, credentialsExpiring
    /// An output of a simulated panel.
    case line
    case error
}

/// The description of one event, for people and for generators of clients.
public struct EventReference: Sendable {
    /// Its fields besides `name` and `at`.
    public let fields: [String]
    /// Fields that only some events of this name have.
    public let more: [String]
    /// The meaning, as Markdown; empty if the names are enough.
    public let tells: String
    /// The fields of one such event, as JSON that may be shortened by an ellipsis.
    public let example: String

    /// - Parameters:
    ///   - notices: Notices that become this event, with all its fields among them. The first one is the example.
    ///   - more: Fields that depend on more than the notice.
    init(of notices: Notice..., more: [String] = [], tells: String = "") {
        let examples = notices.map { notice in
            var naming = EventNaming(qrCode: { _ in nil })
            return naming.events(for: notice).first?.fields ?? [:]
        }
        self.init(examples, more: more, tells: tells)
    }

    /// For an event that no notice becomes.
    init(_ example: [String: JSONValue] = [:], tells: String) { self.init([example], more: [], tells: tells) }

    private init(_ examples: [[String: JSONValue]], more: [String], tells: String) {
        let names = examples.map { Set($0.keys) }
        let common = names.dropFirst().reduce(names.first ?? []) { $0.intersection($1) }
        fields = common.sorted()
        let all = names.reduce(into: Set<String>()) { $0.formUnion($1) }
        self.more = all.subtracting(common).sorted() + more
        self.tells = tells
        let members = (examples.first ?? [:]).sorted { $0.key < $1.key }
        example =
            "{"
            + members.map { "\"\($0.key)\":" + ($0.key == "summary" ? "{…}" : $0.value.text) }.joined(separator: ",")
            + "}"
    }
}

extension EventName {
    /// The description of each event.
    public var reference: EventReference {
        switch self {
        case .clientReady:
            .init(
                ["version": .string(ProgramVersion.text)],
                tells: "The first event of each subscription. No event after it is missing.")
        case .reset: .init(tells: "Over HTTP, before `clientReady`: events were lost. Call `getSnapshot`.")
        case .connected: .init(tells: "The first account is registered.")
        case .disconnected: .init(tells: "The last account is no longer registered.")
        case .incomingCall, .callStarted, .callRinging, .callConnecting, .callAnswered, .callHeld, .callResumed,
            .callReconnecting, .callReconnected, .callDisconnecting, .callDisplayUpdated:
            .init(of: .callChanged(Self.summary), tells: "`summary`: as in the snapshot.")
        case .callEnded, .callFailed:
            .init(
                of: .callEnded(Self.summary, .rejected(404)), .callEnded(Self.summary, .hungUpThere),
                .callEnded(Self.summary, .organisation(.api(403, "no"))),
                tells: """
                    `seconds` since the answer, 0 without one. `server`: `cause`, `code` and `text` that the server \
                    gave, each or all null. For `reason`, see below.
                    """)
        case .missedCall: .init(of: .missedCall(Self.summary, .remoteHungUp))
        case .missedCallsSeen: .init(of: .missedCallsSeen)
        case .callRefused:
            .init(
                of: .callRefused(
                    RefusedCall(
                        account: Self.desk, number: "200", name: nil, from: "192.0.2.9", reason: .noProtection)),
                tells: """
                    A call was rejected before announcing. `displayName`, `from` may be null. Floods are shortened. \
                    Also a missed call if only media, encryption or room was missing.
                    """)
        case .answeredElsewhere:
            .init(of: .answeredElsewhere(Self.summary), tells: "Another phone answered; `callEnded` follows.")
        case .transferRequested:
            .init(
                of: .transferAsked(Self.summary, Self.question),
                tells: """
                    A far end requests a transfer; it waits 20 s for `acceptTransfer` or `declineTransfer`. `cause`: \
                    `transfer` or `redirection`.
                    """)
        case .transferAnswered:
            .init(
                of: .transferAnswered(Self.call, Self.question, .expired),
                tells: """
                    `answer`: `accepted`, `declined`, `expired`, `listed` (accepted without asking: the number is on \
                    the list), `refused` (rejected without asking).
                    """)
        case .transferFailed:
            .init(
                of: .transferFailed(Self.summary, to: "999"),
                tells: "The transfer failed; the far end is still connected.")
        case .codeTried:
            .init(
                of: .codeTried(Self.call, .wrong(left: 2)), .codeTried(Self.call, .right(relay: 1)),
                .codeTried(Self.call, .locked(seconds: 60)),
                tells: """
                    A far end dialled a relay's code. `outcome`: `right` with `relay`, `wrong` with `left`, `locked` \
                    with `seconds`.
                    """)
        case .alarmRaised:
            .init(
                of: .alarmRaised("tamper", .called(Self.call)), .alarmRaised("tamper", .waiting),
                tells: """
                    An input with an alarm became active. `outcome`: `called` with `call`, the first of its calls; \
                    `waiting` or `givenUp`.
                    """)
        case .callDurationUpdated: .init(of: .callDuration(Self.call, seconds: 61))
        case .callQualityUpdated:
            .init(of: .qualityUpdated(Self.call, Self.quality), tells: "Unmeasured values are null.")
        case .firstVoice, .dtmfSent, .networkTimeout: .init(of: .firstVoice(Self.call))
        case .dtmfReceived: .init(of: .dtmfReceived(Self.call, .pound))
        case .textReceived:
            .init(
                of: .textReceived(TextMessage(account: Self.desk, number: "200", name: "Anna", text: "the door")),
                tells: """
                    `displayName` or null. `text`: at most 2,000 bytes; the only control character is `\\n`. Blocked \
                    callers are ignored.
                    """)
        case .muteStateChanged: .init(of: .muteChanged(true))
        case .audioRouteChanged:
            .init(of: .routeChanged(.headset, before: .handset), tells: "`former`: the previous route.")
        case .speakerStateChanged, .ringerChanged, .doNotDisturbChanged, .interruptionChanged:
            .init(of: .ringerChanged(on: true))
        case .volumeChanged: .init(of: .volumeChanged(.ring, 3))
        case .toneChanged: .init(of: .toneChanged(.dial), tells: "`tone` or null.")
        case .panelChanged:
            .init(
                of: .inputChanged("DOOR", active: true), .hookChanged(.offHook), .keyPressed(.mute),
                .relayChanged(1, on: true), tells: "Either `hook`; `key`; `input` and `active`; or `relay` and `on`.")
        case .displayChanged:
            .init(
                of: .displayChanged(DisplayContent(title: "Ada", detail: "Incoming call", notes: ["+4930123456"])),
                tells:
                    "The display's contents, see `getDisplay`. Needs the scope `call`, because it shows dialled digits."
            )
        case .registrationChanged:
            .init(
                of: .registrationChanged(Self.desk, .registered),
                .registrationChanged(Self.desk, .failed("wrong password")))
        case .accountsChanged:
            .init(
                ["accounts": ["desk", "home"]],
                tells:
                    """
                    An account was added, changed or removed. `accounts`: the labels of all, in the order of the \
                    vault.
                    """
            )
        case .messagesWaiting: .init(of: .messagesWaiting(Self.desk, 2))
        case .recordingStarted, .playbackStarted: .init(of: .playbackStarted(Self.playback))
        case .recordingEnded:
            .init(
                of: .recordingEnded(Self.call, .stopped), .recordingEnded(Self.call, .failed("the disk is full")),
                tells: "`reason`: `stopped`, `tooLong` or `failed` with `message`.")
        case .playbackEnded:
            .init(
                of: .playbackEnded(Self.playback, .finished),
                .playbackEnded(Self.playback, .failed("the disk is full")),
                tells: "`reason`: `finished`, `stopped` or `failed` with `message`.")
        case .pageStarted, .pageEnded:
            .init(
                of: .pageStarted(Self.page), tells: "The phone starts or stops playing a page. `group` counts from 1.")
        case .pageNotHeard:
            .init(
                of: .pageNotHeard(Self.page, .busy),
                tells: """
                    A page waits. `reason`: `busy`, `doNotDisturb`, `priority` (another page plays) or `interruption`. \
                    It plays when the reason ends.
                    """)
        case .pageSendingStarted: .init(of: .pageSendingStarted(Self.page), tells: "The phone starts to send a page.")
        case .pageSendingEnded:
            .init(
                of: .pageSendingEnded(Self.page, .stopped),
                tells: """
                    `reason`: `stopped`, `tooLong`, `call` (a call took the sound), `priority` (another page plays), \
                    `interruption` or `failed` (see `error`).
                    """)
        case .soundTested:
            .init(
                of: .soundTested(SoundTestResult(route: .speaker, verdict: .ok, before: -82, during: -41)),
                tells: """
                    `result`: `ok`, `silent` (the microphone does not hear the loudspeaker), `tooLoud` (loud \
                    surroundings) or `missing`. Levels in dB below full scale, or null.
                    """)
        case .networkStatusChanged:
            .init(
                of: .networkChanged(.connected, .wired), tells: "`kind`: `wired`, `wifi`, `cellular`, `other`, `none`.")
        case .networkTransition: .init(of: .networkTransition(from: .wifi, to: .wired))
        case .organizationSwitching: .init(of: .organisationSwitching(Self.acme.id))
        case .organizationSwitched: .init(of: .organisationSwitched(Self.acme))
        case .organizationSwitchFailed:
            .init(
                of: .organisationSwitchFailed(.api(403, "Grace does not belong to 17.")),
                .organisationSwitchFailed(.network),
                tells: "`reason` as for the error `organizationSwitchFailed`; `text`: the backend's words, or null.")
        case .signInCode:
            .init(
                of: .signInCode(Self.code), more: ["qr"],
                tells: """
                    A person has to enter `code` at `address` on another device, or to open `completeAddress`, which \
                    may be null. `qr` is below. Needs the scope `call`.
                    """)
        case .signInFailed:
            .init(
                of: .signInFailed(.expired), .signInFailed(.api(403, "no")),
                tells: "`reason` as for the error `signInFailed`.")
        case .signedIn:
            .init(
                of: .signedIn(SignedInUser(subject: "sub-1", name: "Ada Lovelace", email: "ada@example.org")),
                tells: "`subject` is the user's permanent identity; the others may be null.")
        case .signedOut: .init(of: .signedOut, tells: "The phone has forgotten its sign-in.")
        case .signInNeeded:
            .init(
                of: .signInNeeded(.deviceTokenRefused),
                tells: """
                    A person has to sign the phone in again. `reason`: `deviceTokenRefused`, `accessTokenRefused` or \
                    `recordUnusable`.
                    """)
        case .credentialsRenewed:
            .init(
                of: .credentialsRenewed(Self.acme),
                tells: "The account registers with new credentials, after its calls.")
        case .credentialsExpiring:
            .init(
                of: .credentialsExpiring(days: 3),
                tells: "The credentials become invalid in so many days, and could not be renewed so far.")
        case .line:
            .init(["line": "lamp.mute", "level": true], tells: "An output of a simulated panel changed.")
        case .error: .init(of: .trouble("the sound card is gone", .soundDevice), tells: "`code`: see below.")
        }
    }

    private static let desk = AccountID(1)
    private static let call = CallID(.phone, 1)
    private static let question = TransferQuestion(cause: .transfer, target: "200", until: .zero)
    private static let playback = Playback(number: 1, call: call, file: "hello.wav")
    private static let page = Page(group: 1, label: "fire")
    private static let acme = Organisation(id: OrganisationID("o-7"), name: "Acme")
    private static let code = SignInCode(
        code: "WDJB-MJHT", address: "https://id.example/device", until: Instant(nanoseconds: 9_000_000_000))
    private static let quality = VoiceQuality(
        opinionScore: 4.4, jitterMilliseconds: 2.1, roundTripMilliseconds: 18, lossPercent: 0, concealedPercent: 0,
        bufferMilliseconds: 40, farOpinionScore: 4.3)

    private static let summary: CallSummary = {
        var summary = CallSummary(
            call: call, direction: .outgoing, phase: .active, number: "404", name: "Anna", isWithheld: false,
            account: desk, heldHere: false, heldThere: false, started: .zero, answered: nil, farEndRings: false,
            impaired: false, announcedByInterface: false)
        summary.serverEnd = ServerEnd(cause: "SIP", code: 404, text: "Not Found")
        return summary
    }()
}
