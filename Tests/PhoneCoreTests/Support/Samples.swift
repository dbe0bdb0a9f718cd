import Base
import PhoneCore

/// Names that tests share.
enum Sample {
    /// The cradle hangs up at once.
    static let policy = {
        var policy = PhonePolicy()
        policy.ringingOutTime = .seconds(30)
        policy.followsTransfers = true
        policy.transferTargets = try? DialPlan(patterns: ["555."], emergency: [])
        return policy
    }()
    static let caller = Caller(
        number: "+15550100", displayName: "Ada", account: .direct, vouched: VouchedNumber("+15550100"))
    static let code = RelayCode([.one, .one, .one, .one], callers: [ListedCaller("+15550100")])
    static let home = NetworkPath(.wired, addresses: ["192.0.2.9"])
    static let first = CallID(.line(.direct), 1)
    static let second = CallID(.line(.direct), 2)
    static let third = CallID(.line(.direct), 3)
    static let dialled = CallID(.phone, 1)
    static let endpoint = MediaEndpoint(port: 40_000)
    static let plan = plan()
    static let heldPlan = plan(sends: false, receives: false)

    static func plan(
        port: UInt16 = 5_000, sends: Bool = true, receives: Bool = true, events: Bool = true
    ) -> NegotiatedMedia {
        NegotiatedMedia(
            remote: MediaAddress(host: "192.0.2.1", port: port),
            codec: NegotiatedMedia.Codec(
                sendPayloadType: 96, receivePayloadType: 96, packetMilliseconds: 20, farEndUsesFEC: true),
            telephoneEvents: events
                ? NegotiatedMedia.TelephoneEvents(sendPayloadType: 101, receivePayloadType: 101, clockRate: 48_000)
                : nil,
            sends: sends, receives: receives)
    }

    static let callers = [caller, Caller(number: "5550111", account: .direct), Caller(number: "", account: .direct)]
    static let contact = Contact(name: "Ada Lovelace", number: "+15550100", ring: "ada")

    static func context(_ id: String) -> OrganisationContext {
        OrganisationContext(
            account: .direct, organisation: Organisation(id: OrganisationID(id), name: "Org \(id)"),
            credentials: AccountCredentials(user: "user-\(id)", password: Redacted("password-\(id)")))
    }

    static func action(_ number: UInt64) -> ActionID { ActionID(.control, number) }
}

extension PhoneEffect {
    /// The call that an effect names, if it names one.
    var call: CallID? {
        switch self {
        case .panel, .stopped, .vault, .backend: nil
        case .line(let effect):
            switch effect {
            case .place(let id, _, _, _), .alert(let id), .answer(let id, _, _), .refuse(let id, _), .end(let id),
                .hold(let id, _), .dtmf(let id, _), .move(let id), .transfer(let id, _), .connect(let id, _),
                .follow(let id, _, _, _),
                .declineReferral(let id), .redirect(let id, _), .pickUp(let id, _, _):
                id
            case .orphanBye, .reconnect, .reconfigure, .shutDown: nil
            }
        case .media(let effect):
            switch effect {
            case .open(let id), .connect(let id, _), .activate(let id), .update(let id, _), .microphone(let id, _),
                .dtmf(let id, _, _), .release(let id):
                id
            // A recording may be stopped when its call is over.
            case .tone, .ring, .keyClick, .route, .pause, .volume, .conference, .record, .play: nil
            }
        case .control(.settled), .control(.snapshot): nil
        case .control(.notice(let notice)):
            switch notice {
            case .callChanged(let summary), .callEnded(let summary, _), .missedCall(let summary, _),
                .answeredElsewhere(let summary), .transferAsked(let summary, _):
                summary.call
            case .firstVoice(let id), .dtmfReceived(let id, _), .dtmfSent(let id), .qualityUpdated(let id, _),
                .callDuration(let id, _), .networkTimeout(let id), .transferAnswered(let id, _, _),
                .codeTried(let id, _):
                id
            case .callRefused, .registrationChanged, .hookChanged, .keyPressed, .toneChanged, .ringerChanged,
                .muteChanged,
                .routeChanged, .missedCallsSeen, .volumeChanged, .doNotDisturbChanged, .messagesWaiting,
                .inputChanged, .relayChanged, .networkChanged, .networkTransition, .interruptionChanged,
                .organisationSwitching, .organisationSwitched, .organisationSwitchFailed, .textReceived,
                .recordingStarted, .recordingEnded, .playbackStarted, .playbackEnded, .trouble:
                nil
            }
        }
    }
}
