import Base
import PhoneCore

extension PhoneEvent {
    /// One of every case of every kind.
    static var samples: [PhoneEvent] {
        Array(sequence(first: PhoneEvent.panel(.first), next: \.nextKind)).flatMap(\.samplesOfThisKind)
    }

    private var nextKind: PhoneEvent? {
        switch self {
        case .panel: .line(.first)
        case .line: .media(.first)
        case .media: .vault(.first)
        case .vault: .network(.path(NetworkPath(.wifi, addresses: [Sample.host, "fd00::7"])))
        case .network: .callerInfo(.first)
        case .callerInfo: .backend(.first)
        case .backend: .request(Sample.controlAction, .first)
        case .request: .clock(WeekTime(.sunday, minute: 1_439))
        case .clock: .policyChanged(Sample.policy)
        case .policyChanged: .deadline
        case .deadline: .shutDown
        case .shutDown: nil
        }
    }

    private var samplesOfThisKind: [PhoneEvent] {
        switch self {
        case .panel: PanelEvent.samples.map { .panel($0) }
        case .line: LineEvent.samples.map { .line($0) }
        case .media: MediaEvent.samples.map { .media($0) }
        case .vault: VaultEvent.samples.map { .vault($0) }
        case .callerInfo: CallerInfoEvent.samples.map { .callerInfo($0) }
        case .request: Request.samples.map { .request(Sample.controlAction, $0) }
        case .backend: BackendEvent.samples.map { .backend($0) }
        case .network, .clock, .policyChanged, .deadline, .shutDown: [self]
        }
    }
}

extension PanelEvent: Sampled {
    static var first: PanelEvent { .hookFound(.offHook) }

    var next: PanelEvent? {
        switch self {
        case .hookFound: .hook(.onHook)
        case .hook: .pressed(.digit(.pound))
        case .pressed: .released(.speedDial(16))
        case .released: .input("door", active: true)
        case .input: .failed(Sample.text)
        case .failed: nil
        }
    }
}

extension LineEvent: Sampled {
    static var first: LineEvent { .registration(Sample.account, .failed(Sample.text)) }

    var next: LineEvent? {
        switch self {
        case .registration: .offered(Sample.incoming, Sample.caller)
        case .offered: .refused(Sample.caller, from: "192.0.2.1", because: .noProtection)
        case .refused: .offerSent(Sample.outgoing)
        case .offerSent: .ringing(Sample.outgoing)
        case .ringing: .earlyMedia(Sample.outgoing, Sample.plan)
        case .earlyMedia: .answered(Sample.outgoing, Sample.plan)
        case .answered: .memo(Sample.outgoing, "Call-ID: acme@pbx.example.org")
        case .memo: .renegotiated(Sample.outgoing, Sample.plan, heldByFarEnd: true)
        case .renegotiated: .displayUpdated(Sample.outgoing, name: Sample.text, number: nil)
        case .displayUpdated: .holdSettled(Sample.outgoing, nil)
        case .holdSettled: .holdDelayed(Sample.outgoing, by: .milliseconds(2_100))
        case .holdDelayed: .moved(Sample.outgoing, Sample.plan)
        case .moved: .transferSettled(Sample.outgoing, accepted: false)
        case .transferSettled: .transferred(Sample.outgoing, succeeded: true)
        case .transferred: .referred(Sample.incoming, to: Sample.number)
        case .referred: .redirected(Sample.outgoing, to: Sample.number)
        case .redirected: .dtmfSent(Sample.outgoing, unsent: [.symbol(.zero), .pause])
        case .dtmfSent: .dtmfReceived(Sample.outgoing, .zero)
        case .dtmfReceived: .text(Sample.caller, Sample.text)
        case .text: .watched(WatchedNumber(Sample.number, account: Sample.account), .held)
        case .watched: .messagesWaiting(Sample.account, 3)
        case .messagesWaiting: .endTold(Sample.outgoing, ServerEnd(cause: "Q.850", code: 17, text: Sample.text))
        case .endTold: .ended(Sample.outgoing, .rejected(486))
        case .ended: nil
        }
    }
}

extension MediaEvent: Sampled {
    static var first: MediaEvent { .opened(Sample.incoming, Sample.endpoint) }

    var next: MediaEvent? {
        switch self {
        case .opened: .candidates(Sample.incoming, [Sample.text], isLast: false)
        case .candidates: .gathered(Sample.incoming, Sample.reachableEndpoint)
        case .gathered: .pathDoubted(Sample.incoming)
        case .pathDoubted: .ready(Sample.incoming)
        case .ready: .failed(Sample.incoming, Sample.text)
        case .failed: .keyShown(Sample.incoming, Sample.shownKey)
        case .keyShown: .firstVoice(Sample.incoming)
        case .firstVoice: .dtmfSent(Sample.incoming)
        case .dtmfSent: .dtmfReceived(Sample.incoming, .zero)
        case .dtmfReceived: .silent(Sample.incoming)
        case .silent: .heard(Sample.incoming)
        case .heard: .sendingFailed(Sample.incoming, Sample.text)
        case .sendingFailed: .sendingResumed(Sample.incoming)
        case .sendingResumed: .quality(Sample.incoming, Sample.quality)
        case .quality: .recordingStarted(Sample.incoming, file: Sample.text)
        case .recordingStarted: .recordingEnded(Sample.incoming, .failed(Sample.text))
        case .recordingEnded: .playbackStarted(7)
        case .playbackStarted: .playbackEnded(7, .failed(Sample.text))
        case .playbackEnded: .pageStarted(1)
        case .pageStarted: .pageEnded(1)
        case .pageEnded: .pageUnsent(2, Sample.text)
        case .pageUnsent: .soundTested(3, .heard(before: -80.5, during: -40))
        case .soundTested: .deviceLost(.headset, Sample.text)
        case .deviceLost: .deviceFound(.bluetooth)
        case .deviceFound: .devicePresent(.headset)
        case .devicePresent: .deviceAbsent(.headset)
        case .deviceAbsent: .ringerLost(Sample.text)
        case .ringerLost: .ringerFound
        case .ringerFound: .interrupted
        case .interrupted: .interruptionEnded
        case .interruptionEnded: nil
        }
    }
}

extension VaultEvent: Sampled {
    static var first: VaultEvent { .orphanFound(Sample.persisted) }

    var next: VaultEvent? {
        switch self {
        case .orphanFound: .ringingFound(Sample.ringing)
        case .ringingFound: .remembered(Sample.memory)
        case .remembered: .contacts([Sample.contact, Contact(name: "x", number: Sample.otherNumber)])
        case .contacts: .contextKept(ticket: 7, true)
        case .contextKept: .failed(Sample.text)
        case .failed: nil
        }
    }
}

extension BackendEvent: Sampled {
    static var first: BackendEvent { .restored(Sample.user, nil) }

    var next: BackendEvent? {
        switch self {
        case .restored: .signInCode(Sample.signInCode)
        case .signInCode: .signInWaitsForTime
        case .signInWaitsForTime: .signInFailed(.identity(Sample.text))
        case .signInFailed: .signedIn(Sample.user, Sample.context)
        case .signedIn: .signedOut
        case .signedOut: .signInNeeded(.recordUnusable)
        case .signInNeeded: .organisations([Sample.knownOrganisation])
        case .organisations: .organisationsFailed(.api(500, Sample.text))
        case .organisationsFailed: .switched(Sample.context)
        case .switched: .switchFailed(.api(503, Sample.text))
        case .switchFailed: .credentialsRenewed(Sample.context)
        case .credentialsRenewed: .credentialsExpiring(days: 3)
        case .credentialsExpiring: nil
        }
    }
}

extension CallerInfoEvent: Sampled {
    static var first: CallerInfoEvent { .incoming(Sample.info) }

    var next: CallerInfoEvent? {
        switch self {
        case .incoming: .ended(Sample.info)
        case .ended: .invalid(Sample.text)
        case .invalid: .refused(Sample.text)
        case .refused: nil
        }
    }
}

extension Request: Sampled {
    static var first: Request { .dial(Sample.uri, account: Sample.account) }

    var next: Request? {
        switch self {
        case .dial(_, _, nil): .dial(Sample.number, account: nil, presentation: Sample.presentation)
        case .dial: .pickUp(Sample.number, account: Sample.account)
        case .pickUp: .answer(nil)
        case .answer: .hangUp(Sample.incoming)
        case .hangUp: .decline(nil)
        case .decline: .hold(CallID(.info, 9))
        case .hold: .resume(Sample.outgoing)
        case .resume: .toggleHold(nil)
        case .toggleHold: .mute(true)
        case .mute: .toggleMute
        case .toggleMute: .dtmf(Sample.incoming, [.symbol(.zero), .pause])
        case .dtmf: .route(.speaker)
        case .route: .speaker(false)
        case .speaker: .toggleSpeaker
        case .toggleSpeaker: .transfer(nil, to: Sample.number)
        case .transfer: .connect(Sample.incoming, Sample.outgoing)
        case .connect: .conference
        case .conference: .acceptTransfer(Sample.incoming)
        case .acceptTransfer: .declineTransfer(nil)
        case .declineTransfer: .compareWords(Sample.incoming, agree: true)
        case .compareWords: .startRecording(Sample.incoming)
        case .startRecording: .stopRecording
        case .stopRecording: .startPlayback(file: Sample.text, Sample.incoming)
        case .startPlayback: .stopPlayback
        case .stopPlayback: .startPage(group: 2)
        case .startPage: .stopPage
        case .stopPage: .testSound(.speaker)
        case .testSound: .silenceRinger
        case .silenceRinger: .doNotDisturb(true)
        case .doNotDisturb: .volume(.ring, 10)
        case .volume: .switchOrganisation(Sample.organisation.id)
        case .switchOrganisation: .organisations
        case .organisations: .signIn
        case .signIn: .cancelSignIn
        case .cancelSignIn: .signOut
        case .signOut: .relay(2, .pulse)
        case .relay: .connectAccounts
        case .connectAccounts: .disconnectAccounts
        case .disconnectAccounts: .reconnect
        case .reconnect: .clearMissedCalls(Sample.incoming)
        case .clearMissedCalls: .reset
        case .reset: .status
        case .status: nil
        }
    }
}
