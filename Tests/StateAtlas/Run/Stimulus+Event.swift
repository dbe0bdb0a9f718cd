import PhoneCore

/// The stimulus of an event. A new case anywhere in the vocabulary does not compile before it has its place here.
extension Stimulus {
    public init(_ event: PhoneEvent) {
        self =
            switch event {
            case .panel(let event): Stimulus(event)
            case .line(let event): Stimulus(event)
            case .media(let event): Stimulus(event)
            case .vault(let event): Stimulus(event)
            case .network(.path(let path)):
                path == Cast.home ? .networkBack : path.isUp ? .networkMoved : .networkLost
            case .callerInfo(.incoming): .infoIncoming
            case .callerInfo(.ended): .infoEnded
            case .callerInfo(.invalid): .infoInvalid
            case .callerInfo(.refused): .infoRefused
            case .backend(let event): Stimulus(event)
            case .request(_, let request): Stimulus(request)
            case .clock: .clock
            case .policyChanged: .policyChanged
            case .deadline: .time
            case .shutDown: .shutDown
            }
    }

    private init(_ event: PanelEvent) {
        self =
            switch event {
            case .hook(.offHook): .lifted
            case .hook(.onHook): .replaced
            case .hookFound(.offHook): .readLifted
            case .hookFound(.onHook): .readReplaced
            case .pressed(let key): Stimulus(key)
            case .released: .keyReleased
            case .input: .input
            case .failed: .panelFailed
            }
    }

    private init(_ key: Key) {
        self =
            switch key {
            case .digit: .digitKey
            case .hold: .holdKey
            case .mute: .muteKey
            case .speaker: .speakerKey
            case .headset: .headsetKey
            case .redial: .redialKey
            case .volumeUp: .volumeUpKey
            case .volumeDown: .volumeDownKey
            case .flash: .flashKey
            case .transfer: .transferKey
            case .conference: .conferenceKey
            case .doNotDisturb: .doNotDisturbKey
            case .voicemail: .voicemailKey
            case .line: .lineKey
            case .speedDial: .speedDialKey
            case .page: .pageKey
            }
    }

    private init(_ event: LineEvent) {
        self =
            switch event {
            case .registration(_, let state): state.isReady ? .ready : .notReady
            case .offered(_, let caller) where caller.replaces != nil: .successorOffered
            case .offered(_, let caller): caller.number == Cast.caller.number ? .offered : .anotherOffered
            case .offerSent: .offerSent
            case .ringing: .ringing
            case .earlyMedia: .earlyMedia
            case .answered: .answered
            case .memo: .memo
            case .renegotiated(_, _, let isHeld): isHeld ? .heldThere : .resumedThere
            case .displayUpdated: .displayUpdated
            case .holdSettled(_, let plan): plan == nil ? .termsRefused : .termsAgreed
            case .holdDelayed: .termsDelayed
            case .moved(_, let plan): plan == nil ? .moveRefused : .moveAgreed
            case .transferSettled(_, let isAccepted): isAccepted ? .transferAccepted : .transferRefused
            case .transferred(_, let isDone): isDone ? .transferDone : .transferFailed
            case .referred: .referred
            case .redirected: .redirected
            case .refused: .refused
            case .dtmfSent(_, let unsent): unsent.isEmpty ? .digitsSaid : .digitsRefused
            case .dtmfReceived: .digitSaid
            case .text: .text
            case .watched: .watched
            case .messagesWaiting: .messagesWaiting
            case .endTold: .endTold
            case .ended(_, let reason): Stimulus(reason)
            }
    }

    private init(_ reason: EndReason) {
        self =
            switch reason {
            case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noAnswer, .busyThere,
                .declinedThere, .cancelledThere, .transferred, .tooLong, .shutDown:
                .hungUpThere
            case .answeredElsewhere: .answeredElsewhere
            case .noOffer, .notAnnounced, .rejected, .unreachable, .lineNotReady, .incompatible, .insecurePath,
                .anonymityRefused, .pickupUnnamed, .mediaFailed, .mediaLost, .networkLost, .timedOut, .organisation,
                .interrupted:
                .unreachable
            }
    }

    private init(_ event: MediaEvent) {
        self =
            switch event {
            case .opened: .opened
            case .candidates: .candidates
            case .gathered: .gathered
            case .pathDoubted: .pathDoubted
            case .ready: .mediaReady
            case .failed: .mediaFailed
            case .keyShown: .keyShown
            case .firstVoice: .firstVoice
            case .dtmfSent: .digitsSent
            case .dtmfReceived: .digitReceived
            case .silent: .silent
            case .heard: .heard
            case .sendingFailed: .sendingFailed
            case .sendingResumed: .sendingResumed
            case .quality: .quality
            case .recordingStarted: .recordingStarted
            case .recordingEnded: .recordingEnded
            case .playbackStarted: .playbackStarted
            case .playbackEnded: .playbackEnded
            case .pageStarted: .pageStarted
            case .pageEnded: .pageEnded
            case .pageUnsent: .pageUnsent
            case .soundTested: .soundTested
            case .deviceLost: .deviceLost
            case .deviceFound: .deviceFound
            case .devicePresent: .devicePresent
            case .deviceAbsent: .deviceAbsent
            case .ringerLost: .ringerLost
            case .ringerFound: .ringerFound
            case .interrupted: .interrupted
            case .interruptionEnded: .interruptionEnded
            }
    }

    private init(_ event: BackendEvent) {
        self =
            switch event {
            case .restored: .restored
            case .signInCode: .signInCode
            case .signInWaitsForTime: .signInWaits
            case .signInFailed: .signInFailed
            case .signedIn: .signedIn
            case .signedOut: .signedOut
            case .signInNeeded: .signInNeeded
            case .organisations: .listed
            case .organisationsFailed: .notListed
            case .switched: .switched
            case .switchFailed: .switchFailed
            case .credentialsRenewed: .renewed
            case .credentialsExpiring: .expiring
            }
    }

    private init(_ event: VaultEvent) {
        self =
            switch event {
            case .orphanFound: .orphanFound
            case .ringingFound: .ringingFound
            case .remembered: .remembered
            case .contacts: .contacts
            case .contextKept(_, let isKept): isKept ? .contextKept : .contextNotKept
            case .failed: .vaultFailed
            }
    }

    private init(_ request: Request) {
        self =
            switch request {
            case .dial: .dial
            case .pickUp: .pickUp
            case .answer: .answer
            case .hangUp, .decline: .hangUp
            case .hold: .hold
            case .resume: .resume
            case .toggleHold: .toggleHold
            case .mute: .mute
            case .toggleMute: .toggleMute
            case .dtmf: .sendDigits
            case .route: .route
            case .speaker(let on): on ? .speakerOn : .speakerOff
            case .toggleSpeaker: .toggleSpeaker
            case .transfer: .transfer
            case .connect: .connect
            case .conference: .conference
            case .acceptTransfer: .acceptTransfer
            case .declineTransfer: .declineTransfer
            case .compareWords: .compareWords
            case .startRecording: .startRecording
            case .stopRecording: .stopRecording
            case .startPlayback: .startPlayback
            case .stopPlayback: .stopPlayback
            case .startPage: .startPage
            case .stopPage: .stopPage
            case .testSound: .testSound
            case .silenceRinger: .silenceRinger
            case .doNotDisturb: .doNotDisturb
            case .volume: .volume
            case .switchOrganisation: .switchOrganisation
            case .organisations: .organisations
            case .signIn: .signIn
            case .cancelSignIn: .cancelSignIn
            case .signOut: .signOut
            case .reset: .reset
            case .relay: .relay
            case .connectAccounts: .connectAccounts
            case .disconnectAccounts: .disconnectAccounts
            case .reconnect: .reconnect
            case .clearMissedCalls: .clearMissedCalls
            case .status: .status
            }
    }
}
