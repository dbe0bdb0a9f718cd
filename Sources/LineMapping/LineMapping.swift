import LineCore
import PhoneCore

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
        case .earlyMedia(let leg, let agreed): self = .earlyMedia(call(leg), agreed)
        case .answered(let leg, let agreed): self = .answered(call(leg), agreed)
        case .memo(let leg, let memo): self = .memo(call(leg), memo)
        case .renegotiated(let leg, let agreed, let isHeld):
            self = .renegotiated(call(leg), agreed, heldByFarEnd: isHeld)
        case .displayUpdated(let leg, let name, let number, let standing):
            self = .displayUpdated(call(leg), name: name, number: number, standing: standing)
        case .holdSettled(let leg, let agreed): self = .holdSettled(call(leg), agreed)
        case .holdDelayed(let leg, let pause): self = .holdDelayed(call(leg), by: pause)
        case .moved(let leg, let agreed): self = .moved(call(leg), agreed)
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

extension LineCommand {
    /// The command to a line for an effect of the phone.
    package init(_ effect: LineEffect) {
        switch effect {
        case .dial(let call, let target, _, let endpoint, let presentation):
            self = .invite(
                LegID(call), target: target, media: endpoint,
                presentation: presentation ?? CallPresentation())
        case .alert(let call): self = .alert(LegID(call))
        case .answer(let call, let endpoint, let awaitingACK):
            self = .answer(LegID(call), media: endpoint, awaitingACK: awaitingACK)
        case .candidates(let call, let candidates, let isLast):
            self = .candidates(LegID(call), candidates, isLast: isLast)
        case .refuse(let call, let refusal): self = .refuse(LegID(call), refusal)
        case .end(let call, let cause): self = .end(LegID(call), because: cause)
        case .hold(let call, let held): self = .hold(LegID(call), held)
        case .dtmf(let call, let elements): self = .dtmf(LegID(call), elements)
        case .move(let call, let endpoint): self = .move(LegID(call), ice: endpoint?.ice)
        case .orphanBye(_, let memo): self = .orphanBye(memo)
        case .reconnect: self = .reconnect
        case .disconnect: self = .disconnect
        case .reconfigure(_, let credentials): self = .reconfigure(LineCredentials(credentials))
        case .shutDown: self = .shutDown
        case .transfer(let call, let target): self = .transfer(LegID(call), to: target)
        case .connect(let first, let second): self = .connect(LegID(first), LegID(second))
        case .follow(let call, let referrer, _, let endpoint):
            self = .follow(LegID(call), of: LegID(referrer), media: endpoint)
        case .pickUp(let call, let number, let endpoint):
            self = .pickUp(LegID(call), number.number, media: endpoint)
        case .declineReferral(let call): self = .declineReferral(LegID(call))
        case .redirect(let call, let isWanted): self = .redirect(LegID(call), isWanted)
        }
    }
}
