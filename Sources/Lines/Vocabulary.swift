import LineCore
import PhoneCore
import SDPCore

/// The words of a line in the words of the phone.

extension LegID {
    init(_ call: PhoneCore.CallID) {
        switch call.origin {
        case .phone: self.init(.local, call.number)
        case .line: self.init(.remote, call.number)
        }
    }
}

extension PhoneCore.CallID {
    init(_ leg: LegID, _ account: AccountID) {
        switch leg.origin {
        case .local: self.init(.phone, leg.number)
        case .remote: self.init(.line(account), leg.number)
        }
    }
}

extension LegRefusal {
    init(_ refusal: Refusal) {
        switch refusal {
        case .busy: self = .busy
        case .declined: self = .declined
        case .noAnswer: self = .noAnswer
        case .unavailable: self = .unavailable
        }
    }
}

extension LineEvent {
    /// Nil for what is no business of the phone's.
    init?(_ output: LineOutput, _ account: AccountID) {
        func call(_ leg: LegID) -> PhoneCore.CallID { PhoneCore.CallID(leg, account) }
        switch output {
        case .send, .locate, .trace, .dropped, .finished: return nil
        case .registration(let state): self = .registration(account, RegistrationState(state))
        case .offered(let leg, let caller):
            self = .offered(
                call(leg), Caller(number: caller.number, displayName: caller.displayName, account: account))
        case .offerSent(let leg): self = .offerSent(call(leg))
        case .ringing(let leg): self = .ringing(call(leg))
        case .earlyMedia(let leg, let agreed): self = .earlyMedia(call(leg), MediaPlan(agreed))
        case .answered(let leg, let agreed): self = .answered(call(leg), MediaPlan(agreed))
        case .renegotiated(let leg, let agreed):
            self = .renegotiated(call(leg), MediaPlan(agreed), heldByFarEnd: agreed.heldByFarEnd)
        case .holdSettled(let leg, let agreed): self = .holdSettled(call(leg), agreed.map(MediaPlan.init))
        case .ended(let leg, let end): self = .ended(call(leg), EndReason(end))
        }
    }
}

extension RegistrationState {
    init(_ state: LineRegistration) {
        switch state {
        case .notNeeded: self = .notNeeded
        case .registering: self = .registering
        case .registered: self = .registered
        case .failed(let why): self = .failed(why)
        }
    }
}

extension EndReason {
    init(_ end: LegEnd) {
        switch end {
        case .hungUpHere: self = .hungUpHere
        case .hungUpThere: self = .hungUpThere
        case .refusedHere(.busy): self = .refusedBusy
        case .refusedHere(.declined): self = .declined
        case .refusedHere(.noAnswer): self = .noAnswer
        case .refusedHere(.unavailable): self = .lineNotReady
        case .cancelledThere: self = .cancelledThere
        case .answeredElsewhere: self = .answeredElsewhere
        case .busyThere: self = .busyThere
        case .declinedThere: self = .declinedThere
        case .noAnswerThere: self = .noAnswer
        case .rejected(let status): self = .rejected(status)
        case .unreachable: self = .unreachable
        // What a server would say to it: address incomplete (RFC 3261 §21.4.22).
        case .invalidTarget: self = .rejected(484)
        case .noRoom: self = .lineNotReady
        case .incompatible: self = .incompatible
        case .shutDown: self = .shutDown
        }
    }
}

extension MediaPlan {
    init(_ agreed: AgreedMedia) {
        self.init(
            remote: MediaAddress(agreed.remote), remoteControl: agreed.remoteControl.map(MediaAddress.init),
            codec: Opus(
                sendPayloadType: agreed.sendPayloadType, receivePayloadType: agreed.receivePayloadType,
                packetMilliseconds: agreed.packetMilliseconds, maximumBitrate: agreed.farEnd.maximumBitrate,
                farEndUsesFEC: agreed.farEnd.usesFEC),
            telephoneEvents: agreed.events.map {
                TelephoneEvents(
                    sendPayloadType: $0.sendPayloadType, receivePayloadType: $0.receivePayloadType,
                    clockRate: $0.clockRate)
            },
            protection: agreed.protection.map {
                Protection(suite: .init($0.suite), sendKey: $0.sendKey, receiveKey: $0.receiveKey)
            },
            sends: agreed.direction.sends, receives: agreed.direction.receives)
    }
}

extension MediaAddress {
    init(_ address: PacketAddress) { self.init(host: address.host, port: address.port) }
}

extension MediaPlan.Protection.Suite {
    init(_ suite: CryptoSuite) {
        switch suite {
        case .aes128Tag80: self = .aes128Tag80
        case .aes128Tag32: self = .aes128Tag32
        }
    }
}
