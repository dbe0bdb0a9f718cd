import Base
import PhoneCore

/// Names that tests share.
enum Sample {
    static let caller = Caller(number: "+15550100", displayName: "Ada", account: .direct)
    static let first = CallID(.line(.direct), 1)
    static let second = CallID(.line(.direct), 2)
    static let third = CallID(.line(.direct), 3)
    static let dialled = CallID(.phone, 1)
    static let endpoint = MediaEndpoint(port: 40_000)
    static let plan = plan()
    static let heldPlan = plan(sends: false, receives: false)

    static func plan(
        port: UInt16 = 5_000, sends: Bool = true, receives: Bool = true, events: Bool = true
    ) -> MediaPlan {
        MediaPlan(
            remote: MediaAddress(host: "192.0.2.1", port: port),
            codec: MediaPlan.Opus(sendPayloadType: 96, receivePayloadType: 96, packetMilliseconds: 20),
            telephoneEvents: events
                ? MediaPlan.TelephoneEvents(sendPayloadType: 101, receivePayloadType: 101, clockRate: 48_000) : nil,
            sends: sends, receives: receives)
    }

    static func action(_ number: UInt64) -> ActionID { ActionID(.control, number) }
}

extension PhoneEffect {
    /// The call that an effect names, if it names one.
    var call: CallID? {
        switch self {
        case .panel, .stopped, .vault: nil
        case .line(let effect):
            switch effect {
            case .place(let id, _, _, _), .alert(let id), .answer(let id, _), .refuse(let id, _), .end(let id),
                .hold(let id, _):
                id
            case .shutDown: nil
            }
        case .media(let effect):
            switch effect {
            case .open(let id), .connect(let id, _), .activate(let id), .update(let id, _), .microphone(let id, _),
                .dtmf(let id, _), .release(let id):
                id
            case .tone, .keyClick, .route: nil
            }
        case .control(.settled), .control(.snapshot): nil
        case .control(.notice(let notice)):
            switch notice {
            case .callChanged(let summary), .callEnded(let summary, _), .missedCall(let summary, _): summary.call
            case .firstVoice(let id), .dtmfReceived(let id, _), .dtmfSent(let id), .qualityUpdated(let id, _): id
            case .registrationChanged, .hookChanged, .keyPressed, .toneChanged, .ringerChanged, .muteChanged,
                .routeChanged, .trouble:
                nil
            }
        }
    }
}
