import Base
import PhoneCore

extension PhoneEffect {
    /// One of every case of every kind.
    static var samples: [PhoneEffect] {
        Array(sequence(first: PhoneEffect.panel(.first), next: \.nextKind)).flatMap(\.samplesOfThisKind)
    }

    private var nextKind: PhoneEffect? {
        switch self {
        case .panel: .line(.first)
        case .line: .media(.first)
        case .media: .vault(.first)
        case .vault: .callerInfo(.settled(ticket: .max, .announced))
        case .callerInfo: .backend(.first)
        case .backend: .control(.called(Sample.controlAction, Sample.outgoing))
        case .control(.called): .control(.signInCode(Sample.controlAction, Sample.signInCode))
        case .control(.signInCode): .control(.organisations(Sample.controlAction, [Sample.knownOrganisation]))
        case .control(.organisations): .control(.settled(Sample.panelAction, .fulfilled))
        case .control(.settled(_, .fulfilled)): .control(.settled(Sample.panelAction, .failed(.first)))
        case .control(.settled(_, .failed)): .control(.snapshot(Sample.controlAction, Sample.snapshot))
        case .control(.snapshot): .control(.notice(.first))
        case .control(.notice): .display(Sample.display)
        case .display: .stopped
        case .stopped: nil
        }
    }

    private var samplesOfThisKind: [PhoneEffect] {
        switch self {
        case .panel: PanelEffect.samples.map { .panel($0) }
        case .line: LineCommand.samples.map { .line($0) }
        case .media: MediaEffect.samples.map { .media($0) }
        case .vault: VaultEffect.samples.map { .vault($0) }
        case .control(.settled(let action, .failed)):
            ActionFailure.samples.map { .control(.settled(action, .failed($0))) }
        case .control(.notice): Notice.samples.map { .control(.notice($0)) }
        case .callerInfo(.settled(let ticket, _)):
            CallerInfoOutcome.allCases.map { .callerInfo(.settled(ticket: ticket, $0)) }
        case .backend: BackendEffect.samples.map { .backend($0) }
        case .control(.called), .control(.signInCode), .control(.organisations), .control(.settled(_, .fulfilled)),
            .control(.snapshot), .display, .stopped:
            [self]
        }
    }
}

extension BackendEffect: Sampled {
    static var first: BackendEffect { .signIn }

    var next: BackendEffect? {
        switch self {
        case .signIn: .cancelSignIn
        case .cancelSignIn: .signOut
        case .signOut: .organisations
        case .organisations: .switchOrganisation(Sample.organisation.id)
        case .switchOrganisation: .worksFor(Sample.organisation.id)
        case .worksFor: .credentialsKept(Sample.organisation.id)
        case .credentialsKept: .renewCredentials
        case .renewCredentials: .callerInfoVoid(Sample.text)
        case .callerInfoVoid: nil
        }
    }
}

extension PanelEffect: Sampled {
    static var first: PanelEffect { .lamp(.account(8), .flutter) }

    var next: PanelEffect? {
        switch self {
        case .lamp: .bell(RingCadence([.milliseconds(400), .nanoseconds(1)]))
        case .bell: .relay(3, on: true)
        case .relay: .pulse(3, until: Instant(nanoseconds: 1_000))
        case .pulse: nil
        }
    }
}

extension LineCommand: Sampled {
    static var first: LineCommand {
        .dial(Sample.outgoing, target: Sample.uri, account: Sample.account, Sample.endpoint)
    }

    var next: LineCommand? {
        switch self {
        case .dial(_, _, _, _, nil):
            .dial(
                Sample.outgoing, target: Sample.uri, account: Sample.account, Sample.endpoint,
                presentation: Sample.presentation)
        case .dial: .alert(Sample.incoming)
        case .alert: .answer(Sample.incoming, Sample.endpoint, awaitingACK: true)
        case .answer: .candidates(Sample.incoming, [Sample.text], isLast: true)
        case .candidates: .refuse(Sample.incoming, .unavailable)
        case .refuse: .end(Sample.incoming)
        case .end: .hold(Sample.incoming, true)
        case .hold: .dtmf(Sample.incoming, Sample.elements)
        case .dtmf: .move(Sample.incoming, nil)
        case .move: .transfer(Sample.incoming, to: Sample.number)
        case .transfer: .connect(Sample.incoming, Sample.outgoing)
        case .connect: .follow(Sample.outgoing, after: Sample.incoming, account: Sample.account, Sample.endpoint)
        case .follow: .declineReferral(Sample.incoming)
        case .declineReferral: .redirect(Sample.outgoing, true)
        case .redirect:
            .pickUp(Sample.outgoing, WatchedNumber(Sample.number, account: Sample.account), Sample.endpoint)
        case .pickUp: .orphanBye(Sample.account, memo: Sample.text)
        case .orphanBye: .reconnect(Sample.account)
        case .reconnect: .disconnect(Sample.account)
        case .disconnect: .reconfigure(Sample.account, Sample.context.credentials)
        case .reconfigure: .shutDown
        case .shutDown: nil
        }
    }
}

extension MediaEffect: Sampled {
    static var first: MediaEffect { .open(Sample.incoming, .direct) }

    var next: MediaEffect? {
        switch self {
        case .open: .gather(Sample.incoming)
        case .gather: .connect(Sample.incoming, Sample.plan)
        case .connect: .activate(Sample.incoming)
        case .activate: .update(Sample.incoming, Sample.plan)
        case .update: .microphone(Sample.incoming, open: true)
        case .microphone: .holdMusic(Sample.incoming, on: true)
        case .holdMusic: .dtmf(Sample.incoming, Sample.elements, inBand: true)
        case .dtmf: .release(Sample.incoming)
        case .release: .tone(.specialInformation)
        case .tone: .ring(Ring(name: "bellcore-dr2", cadence: RingCadence([.milliseconds(400), .nanoseconds(1)])))
        case .ring: .keyClick(.a)
        case .keyClick: .route(.handset)
        case .route: .pause(true)
        case .pause: .volume(.call, 0)
        case .volume: .conference(Sample.incoming, joined: true)
        case .conference: .record(Sample.outgoing)
        case .record: .play(Playback(number: 7, call: Sample.outgoing, file: Sample.text))
        case .play: .page(1)
        case .page: .sendPage(PageSending(group: 2, isOpen: true))
        case .sendPage: .testSound(SoundTest(number: 3, route: .speaker))
        case .testSound: .joinPages([Sample.text])
        case .joinPages: nil
        }
    }
}

extension VaultEffect: Sampled {
    static var first: VaultEffect { .persist(Sample.persisted) }

    var next: VaultEffect? {
        switch self {
        case .persist: .clearPersisted
        case .clearPersisted: .persistRinging(Sample.ringing)
        case .persistRinging: .clearRinging(Sample.ringing.call)
        case .clearRinging: .addHistory(Sample.history)
        case .addHistory: .clearHistory
        case .clearHistory: .missedCallsSeen(Sample.at)
        case .missedCallsSeen: .formerMissedCallSeen(.max)
        case .formerMissedCallSeen: .keep(Sample.memory.settings)
        case .keep: .keepKey(Sample.peerKey)
        case .keepKey: .forgetKey(Sample.peerKey.peer)
        case .forgetKey: .keepContext(Sample.context, ticket: .max)
        case .keepContext: .tryContext(Sample.context, ticket: 0)
        case .tryContext: .forgetSignIn
        case .forgetSignIn: nil
        }
    }
}

extension SignInFailure: Sampled {
    static var first: SignInFailure { .cancelled }

    var next: SignInFailure? {
        switch self {
        case .cancelled: .denied
        case .denied: .expired
        case .expired: .identity(Sample.text)
        case .identity: .network(Sample.text)
        case .network: .api(503, Sample.text)
        case .api: .parse(Sample.text)
        case .parse: .timeout
        case .timeout: .credentialStore
        case .credentialStore: .clockNotSet
        case .clockNotSet: nil
        }
    }
}

extension ActionFailure: Sampled {
    static var first: ActionFailure { .noSuchCall }

    var next: ActionFailure? {
        switch self {
        case .noSuchCall: .wrongState
        case .wrongState: .alreadyUnderWay
        case .alreadyUnderWay: .noRoom
        case .noRoom: .invalidTarget
        case .invalidTarget: .lineNotReady
        case .lineNotReady: .refusedThere
        case .refusedThere: .soundInUse
        case .soundInUse: .notSupported
        case .notSupported: .timedOut
        case .timedOut: .callEnded(.organisation(.credentialStore))
        case .callEnded: .organisation(.abandoned)
        case .organisation: .signIn(.first)
        case .signIn(let failure): failure.next.map { .signIn($0) } ?? .notSignedIn
        case .notSignedIn: .backend(.api(503, Sample.text))
        case .backend: .file(Sample.text)
        case .file: .shuttingDown
        case .shuttingDown: nil
        }
    }
}
