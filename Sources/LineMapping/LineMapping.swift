import Base
import ICECore
import LineCore
import PhoneCore
import SDPCore

/// Conversions between the types of a line and the types of the phone.

extension LegID {
    package init(_ call: CallID) {
        switch call.origin {
        case .phone: self.init(.local, call.number)
        case .line: self.init(.remote, call.number)
        case .info, .past: preconditionFailure("a call that no line has offered does not belong to a line")
        }
    }
}

extension CallID {
    package init(_ leg: LegID, _ account: AccountID) {
        switch leg.origin {
        case .local: self.init(.phone, leg.number)
        case .remote: self.init(.line(account), leg.number)
        }
    }
}

extension LineEvent {
    /// Nil for an output that does not concern the phone.
    package init?(_ output: LineOutput, _ account: AccountID) {
        func call(_ leg: LegID) -> CallID { CallID(leg, account) }
        switch output {
        case .send, .locate, .ask, .abandon, .trace, .remark, .turnedAway, .trust, .dropped, .strayKeepAlive, .finished:
            return nil
        case .registration(let state): self = .registration(account, state)
        case .offered(let leg, let caller):
            self = .offered(call(leg), Caller(caller, account))
        case .refused(let caller, let endpoint, let reason):
            self = .refused(Caller(caller, account), from: endpoint.address, because: reason)
        case .offerSent(let leg): self = .offerSent(call(leg))
        case .ringing(let leg): self = .ringing(call(leg))
        case .earlyMedia(let leg, let agreed): self = .earlyMedia(call(leg), PhoneCore.NegotiatedMedia(agreed))
        case .answered(let leg, let agreed): self = .answered(call(leg), PhoneCore.NegotiatedMedia(agreed))
        case .memo(let leg, let memo): self = .memo(call(leg), memo)
        case .renegotiated(let leg, let agreed):
            self = .renegotiated(call(leg), PhoneCore.NegotiatedMedia(agreed), heldByFarEnd: agreed.heldByFarEnd)
        case .displayUpdated(let leg, let name, let number, let standing):
            self = .displayUpdated(call(leg), name: name, number: number, standing: standing)
        case .holdSettled(let leg, let agreed):
            self = .holdSettled(call(leg), agreed.map(PhoneCore.NegotiatedMedia.init))
        case .holdDelayed(let leg, let pause): self = .holdDelayed(call(leg), by: pause)
        case .moved(let leg, let agreed): self = .moved(call(leg), agreed.map(PhoneCore.NegotiatedMedia.init))
        case .transferSettled(let leg, let isAccepted): self = .transferSettled(call(leg), accepted: isAccepted)
        case .transferred(let leg, let isDone): self = .transferred(call(leg), succeeded: isDone)
        case .referred(let leg, let number): self = .referred(call(leg), to: number)
        case .redirected(let leg, let number): self = .redirected(call(leg), to: number)
        case .dtmfSent(let leg, let unsent): self = .dtmfSent(call(leg), unsent: unsent)
        case .dtmfReceived(let leg, let symbol): self = .dtmfReceived(call(leg), symbol)
        case .text(let sender, let text): self = .text(Caller(sender, account), text)
        case .watched(let number, let state):
            self = .watched(WatchedNumber(number, account: account), state)
        case .messagesWaiting(let count): self = .messagesWaiting(account, count)
        case .endTold(let leg, let told): self = .endTold(call(leg), told)
        case .ended(let leg, let end): self = .ended(call(leg), EndReason(end))
        }
    }
}

extension Caller {
    package init(_ caller: CallerIdentity, _ account: AccountID) {
        self.init(
            number: caller.number, displayName: caller.displayName, isWithheld: caller.isWithheld,
            divertedBy: caller.divertedBy, called: caller.called, account: account, ids: caller.ids,
            ring: caller.ring, wantsAutoAnswer: caller.wantsAutoAnswer,
            verification: caller.verification,
            vouched: caller.vouched,
            headers: caller.headers.isEmpty ? nil : caller.headers,
            arrived: caller.arrived,
            replaces: caller.replaces.map { CallID($0, account) })
    }
}

extension LineCredentials {
    package init(_ credentials: AccountCredentials) {
        self.init(
            user: credentials.user, password: credentials.password, token: credentials.loginToken,
            displayName: credentials.callerName, callerNumber: credentials.callerNumber)
    }
}

extension EndReason {
    package init(_ end: LegEnd) {
        switch end {
        case .hungUpHere: self = .hungUpHere
        case .stopped(let cause): self.init(cause)
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
        // A server would give the same status: address incomplete (RFC 3261 §21.4.22).
        case .invalidTarget: self = .rejected(484)
        case .noRoom: self = .lineNotReady
        case .incompatible: self = .incompatible
        case .insecurePath: self = .insecurePath
        case .anonymityRefused: self = .anonymityRefused
        case .notNamed: self = .pickupUnnamed
        case .shutDown: self = .shutDown
        }
    }
}

extension EndReason {
    private init(_ cause: HangUpCause) {
        switch cause {
        case .mediaLost: self = .mediaLost
        case .mediaFailed: self = .mediaFailed
        case .networkLost: self = .networkLost
        case .timedOut: self = .timedOut
        case .tooLong: self = .tooLong
        case .shutDown: self = .shutDown
        }
    }
}

extension PhoneCore.NegotiatedMedia {
    package init(_ agreed: SDPCore.NegotiatedMedia) {
        self.init(
            remote: MediaAddress(agreed.remote), remoteControl: agreed.remoteControl.map(MediaAddress.init),
            codec: Codec(
                .init(agreed.codec), sendPayloadType: agreed.sendPayloadType,
                receivePayloadType: agreed.receivePayloadType, packetMilliseconds: agreed.packetMilliseconds,
                maximumBitrate: agreed.farEnd.maximumBitrate, farEndUsesFEC: agreed.farEnd.usesFEC,
                farEndUsesDTX: agreed.farEnd.usesDTX),
            otherFormats: agreed.otherFormats.map { Format(.init($0.codec), payloadType: $0.payloadType) },
            telephoneEvents: agreed.events.map {
                TelephoneEvents(
                    sendPayloadType: $0.sendPayloadType, receivePayloadType: $0.receivePayloadType,
                    otherPayloadTypes: $0.otherPayloadTypes, clockRate: $0.clockRate)
            },
            redundancy: agreed.redundancy.map {
                Redundancy(sendPayloadType: $0.sendPayloadType, receivePayloadType: $0.receivePayloadType)
            },
            reports: agreed.reports.map {
                Reports(
                    roundTrip: $0.roundTrip, loss: $0.loss, duplicates: $0.duplicates, jitter: $0.jitter,
                    voice: $0.voice)
            },
            protection: agreed.protection.map(Protection.init), ice: agreed.ice.map(ICESession.init),
            sends: agreed.direction.sends, receives: agreed.direction.receives)
    }
}

extension PhoneCore.NegotiatedMedia.Codec.Name {
    package init(_ codec: AudioCodec) {
        switch codec {
        case .opus: self = .opus
        case .g722: self = .g722
        case .pcma: self = .pcma
        case .pcmu: self = .pcmu
        }
    }
}

extension MediaAddress {
    package init(_ address: PacketAddress) { self.init(host: address.host, port: address.port) }
}

extension PhoneCore.NegotiatedMedia.Protection {
    package init(_ agreed: SDPCore.NegotiatedMedia.Protection) {
        switch agreed {
        case .sdes(let keys):
            self = .sdes(
                .init(
                    suite: .init(keys.suite), sendKey: keys.sendKey, receiveKey: keys.receiveKey,
                    receiveKeyIdentifier: keys.receiveKeyIdentifier))
        case .dtls(let association):
            self = .dtls(
                .init(
                    isActive: association.isActive, fingerprints: association.fingerprints.map(\.digest),
                    number: association.number == 0 ? nil : association.number))
        }
    }
}

extension PhoneCore.NegotiatedMedia.CryptoSuite {
    package init(_ suite: SDPCore.CryptoSuite) {
        switch suite {
        case .aes128Tag80: self = .aes128Tag80
        case .aes128Tag32: self = .aes128Tag32
        case .aes256Tag80: self = .aes256Tag80
        case .aes256Tag32: self = .aes256Tag32
        case .gcm128: self = .gcm128
        case .gcm256: self = .gcm256
        }
    }
}

extension LineCommand {
    /// The command to a line for an effect of the phone.
    package init(_ effect: LineEffect) {
        switch effect {
        case .dial(let call, let target, _, let endpoint, let presentation):
            self = .invite(
                LegID(call), target: target, media: LocalMedia(endpoint),
                presentation: presentation ?? CallPresentation())
        case .alert(let call): self = .alert(LegID(call))
        case .answer(let call, let endpoint, let awaitingACK):
            self = .answer(LegID(call), media: LocalMedia(endpoint), awaitingACK: awaitingACK)
        case .candidates(let call, let candidates, let isLast):
            self = .candidates(LegID(call), candidates, isLast: isLast)
        case .refuse(let call, let refusal): self = .refuse(LegID(call), refusal)
        case .end(let call, let cause): self = .end(LegID(call), because: cause)
        case .hold(let call, let held): self = .hold(LegID(call), held)
        case .dtmf(let call, let elements): self = .dtmf(LegID(call), elements)
        case .move(let call, let endpoint): self = .move(LegID(call), ice: endpoint.flatMap { LocalMedia($0).ice })
        case .orphanBye(_, let memo): self = .orphanBye(memo)
        case .reconnect: self = .reconnect
        case .disconnect: self = .disconnect
        case .reconfigure(_, let credentials): self = .reconfigure(LineCredentials(credentials))
        case .shutDown: self = .shutDown
        case .transfer(let call, let target): self = .transfer(LegID(call), to: target)
        case .connect(let first, let second): self = .connect(LegID(first), LegID(second))
        case .follow(let call, let referrer, _, let endpoint):
            self = .follow(LegID(call), of: LegID(referrer), media: LocalMedia(endpoint))
        case .pickUp(let call, let number, let endpoint):
            self = .pickUp(LegID(call), number.number, media: LocalMedia(endpoint))
        case .declineReferral(let call): self = .declineReferral(LegID(call))
        case .redirect(let call, let isWanted): self = .redirect(LegID(call), isWanted)
        }
    }
}

/// Converts the candidates of an end between the phone's types and the line's.
extension LocalMedia {
    package init(_ endpoint: MediaEndpoint) {
        self.init(
            port: endpoint.port, ice: endpoint.ice.flatMap(SDPCore.LocalICE.init),
            fingerprint: endpoint.fingerprint.map(CertificateFingerprint.init(digest:)),
            source: endpoint.source.map { .init(ssrc: $0.ssrc, canonicalName: $0.canonicalName) })
    }
}

extension SDPCore.LocalICE {
    /// Nil if the credentials do not follow RFC 8839 §5.4.
    init?(_ ice: PhoneCore.LocalICE) {
        let password = unsafe ice.description.password.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
        guard
            let credentials = ICECredentials(
                userFragment: ice.description.userFragment, password: Redacted(password))
        else { return nil }
        let use: Use =
            if let only = ice.onlyAddress {
                .relayed(PacketAddress(host: only.host, port: only.port))
            } else {
                ice.isOffered ? .always : .whenOffered
            }
        self.init(
            .init(
                credentials: credentials, candidates: ice.description.candidates,
                isTrickled: ice.isIncomplete ?? false),
            use: use)
    }
}

extension PhoneCore.NegotiatedMedia.ICESession {
    init(_ agreed: SDPCore.NegotiatedMedia.ICESession) {
        self.init(
            local: .init(agreed.local), remote: .init(agreed.remote), isControlling: agreed.isControlling,
            usesControlPort: agreed.usesControlPort ? true : nil)
    }
}

extension PhoneCore.ICEDescription {
    init(_ description: SDPCore.ICEDescription) {
        self.init(
            userFragment: description.credentials.userFragment,
            password: SecretBytes(Array(description.credentials.password.reveal().utf8)),
            candidates: description.candidates, isLite: description.isLite)
    }
}
