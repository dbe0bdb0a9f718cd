import Base
import PhoneCore

/// The call and the time of events; from these one event for every stimulus.
public struct Subject: Sendable {
    /// The call as the machine names it, and as its line does.
    let call: CallID
    let leg: CallID
    let now: Instant

    /// Without a call: an unknown one.
    public init(_ call: CallID?, at now: Instant) {
        self.call = call ?? Cast.offered
        leg = call?.origin == .info ? Cast.offered : self.call
        self.now = now
    }

    /// The request of a stimulus itself, and not of the way to its situation.
    static let action = ActionID(.control, 100)

    /// One event for each stimulus, in their order.
    public var representatives: [PhoneEvent] {
        hook.map { .panel($0) } + line.map { .line($0) } + media.map { .media($0) } + outside
            + requests.map { .request(Self.action, $0) } + keys.map { .panel($0) } + memory
    }

    private var hook: [PanelEvent] { [.hook(.offHook), .hook(.onHook)] }

    private var line: [LineEvent] {
        [
            .registration(.direct, .registered), .registration(.direct, .failed("timeout")),
            .offered(Cast.offered, Cast.caller), .offered(Cast.offeredNext, Cast.anotherCaller),
            .offered(Cast.offeredNext, Cast.successor(of: leg)),
            .offerSent(leg), .ringing(leg), .earlyMedia(leg, Cast.plan), .answered(leg, Cast.plan), .memo(leg, "memo"),
            .renegotiated(leg, Cast.heldPlan, heldByFarEnd: true),
            .renegotiated(leg, Cast.plan, heldByFarEnd: false),
            .displayUpdated(leg, name: "Grace", number: "5550177"),
            .holdSettled(leg, Cast.plan), .holdSettled(leg, nil),
            .holdDelayed(leg, by: .seconds(3)), .moved(leg, Cast.plan), .moved(leg, nil),
            .transferSettled(leg, accepted: true), .transferSettled(leg, accepted: false),
            .transferred(leg, succeeded: true), .transferred(leg, succeeded: false), .referred(leg, to: "5550144"),
            .redirected(leg, to: "5550144"), .refused(Cast.caller, from: "192.0.2.1", because: .noProtection),
            .dtmfSent(leg, unsent: []), .dtmfSent(leg, unsent: [.symbol(.one)]), .dtmfReceived(leg, .one),
            .text(Cast.caller, "the door is open"),
            .watched(WatchedNumber("5550166", account: .direct), .ringing), .messagesWaiting(.direct, 2),
            .endTold(leg, ServerEnd(cause: "Q.850", code: 16, text: nil)), .ended(leg, .hungUpThere),
            .ended(leg, .answeredElsewhere), .ended(leg, .unreachable),
        ]
    }

    private var media: [MediaEvent] {
        [
            .opened(call, Cast.endpoint), .candidates(call, ["1"], isLast: true), .gathered(call, Cast.endpoint),
            .pathDoubted(call),
            .ready(call), .failed(call, "no key"),
            .keyShown(call, ShownFingerprint(fingerprint: [7], words: "lusab babad gutih tugad")), .firstVoice(call),
            .dtmfSent(call),
            .dtmfReceived(call, .one), .silent(call), .heard(call), .sendingFailed(call, "no route"),
            .sendingResumed(call), .quality(call, VoiceQuality(opinionScore: 4)),
            .recordingStarted(call, file: "call.opus"), .recordingEnded(call, .stopped),
            .playbackStarted(1), .playbackEnded(1, .finished), .pageStarted(1), .pageEnded(1),
            .pageUnsent(1, "no route"), .soundTested(1, .heard(before: -80, during: -40)),
            .deviceLost(.headset, "unplugged"), .deviceFound(.headset), .devicePresent(.headset),
            .deviceAbsent(.headset), .ringerLost("unplugged"), .ringerFound, .interrupted, .interruptionEnded,
        ]
    }

    private var outside: [PhoneEvent] {
        let info = Cast.info(sent: now)
        return [
            .network(.path(.none)), .network(.path(Cast.home)), .network(.path(Cast.elsewhere)),
            .callerInfo(.incoming(info)), .callerInfo(.ended(info)), .callerInfo(.invalid("not JSON")),
            .callerInfo(.refused("not authorised")),
            .clock(WeekTime(.friday, minute: 1_025)), .policyChanged(Cast.otherPolicy), .deadline, .shutDown,
        ]
    }

    private var requests: [Request] {
        [
            .dial("5550122", account: nil), .pickUp("5550166", account: nil), .answer(call), .hangUp(call), .hold(call),
            .resume(call), .toggleHold(call),
            .mute(true), .toggleMute, .dtmf(call, [.symbol(.one)]), .route(.speaker), .speaker(true),
            .speaker(false), .toggleSpeaker,
            .transfer(call, to: "5550122"), .connect(call, Cast.offeredNext), .conference, .acceptTransfer(call),
            .declineTransfer(call), .compareWords(call, agree: true), .startRecording(call),
            .stopRecording, .startPlayback(file: "hello.wav", call), .stopPlayback, .startPage(group: 1),
            .stopPage, .testSound(nil), .silenceRinger,
            .doNotDisturb(true), .volume(.call, 5), .switchOrganisation(Cast.otherOrganisation.organisation.id),
            .organisations, .signIn, .cancelSignIn, .signOut,
            .relay(1, .pulse), .connectAccounts, .disconnectAccounts, .reconnect, .clearMissedCalls(nil), .reset,
            .status,
        ]
    }

    private var keys: [PanelEvent] {
        let pressed: [Key] = [
            .digit(.one), .hold, .mute, .speaker, .headset, .redial, .volumeUp, .volumeDown, .flash, .transfer,
            .conference, .doNotDisturb, .voicemail, .line(1), .speedDial(1), .page(1),
        ]
        return pressed.map { .pressed($0) }
            + [
                .released(.hold), .input("door", active: true), .failed("no such chip"), .hookFound(.offHook),
                .hookFound(.onHook),
            ]
    }

    private var memory: [PhoneEvent] {
        let orphan = PersistedCall(
            call: "in-0.9", direction: .incoming, number: "+15550133", name: nil, account: .direct, started: .zero,
            answered: .zero, memo: "memo")
        let ringing = RingingCall(call: "in-0.9", number: "+15550133", name: nil, account: .direct, started: .zero)
        return [
            .backend(.switched(Cast.otherOrganisation)), .backend(.switchFailed(.network)),
            .backend(.restored(Cast.user, Cast.ownOrganisation)), .backend(.signInCode(Cast.code)),
            .backend(.signInWaitsForTime),
            .backend(.signInFailed(.denied)), .backend(.signedIn(Cast.user, Cast.otherOrganisation)),
            .backend(.signedOut), .backend(.signInNeeded(.deviceTokenRefused)),
            .backend(.organisations([KnownOrganisation(Cast.otherOrganisation.organisation)])),
            .backend(.organisationsFailed(.network)), .backend(.credentialsRenewed(Cast.renewed)),
            .backend(.credentialsExpiring(days: 3)),
            .vault(.orphanFound(orphan)), .vault(.ringingFound(ringing)), .vault(.remembered(Cast.laterMemory)),
            .vault(.contacts([Cast.contact])), .vault(.contextKept(ticket: 1, true)),
            .vault(.contextKept(ticket: 1, false)),
            .vault(.failed("disk full")),
        ]
    }
}
