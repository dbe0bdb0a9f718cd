import Base

/// The only way to end a call.
extension Transition {
    /// Ends a call, whatever the cause: cradle, far end, timeout, refusal, silence, network, shutdown, crash.
    ///
    /// Sound stops at once. Then the signalling has to end: the call is over when the line reports that, or when the
    /// time for a BYE is up. The first reason counts.
    mutating func end(_ id: CallID, _ reason: EndReason, overOnTheWire: Bool = false) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ended, .failed:
            return
        case .disconnecting(let disconnecting):
            if overOnTheWire { finish(call, disconnecting.reason, at: disconnecting.since) }
        case .idle:
            // The call was never announced. It is refused and forgotten in the same transition, so that a flood of calls
            // costs no memory.
            let refusal = reason.refusal(declinedAs: policy.declinedAs)
            if !overOnTheWire, let leg = call.leg { emit(.line(.refuse(leg, refusal))) }
            finish(call, reason, at: now)
            remember(call, overFor: reason)
        case .ringingIn, .ringingOut, .connecting, .active, .onHold, .reconnecting:
            emit(.media(.release(id)))
            remember(call, overFor: reason)
            for action in phone.actions.takeAllButEnd(of: id) { settleAtOnce(action, .failed(.callEnded(reason))) }
            let end = overOnTheWire ? nil : end(of: call, reason)
            if let end {
                emit(.line(end))
                phone[id]?.state = .disconnecting(
                    Disconnecting(reason: reason, since: now, until: now + policy.endTime))
            } else {
                finish(call, reason, at: now)
            }
            abandonSwitch(for: id)
            if !dialNext(after: call, reason) && !comeBack(after: call, reason) { callLeftUserAudio(reason) }
        }
    }

    /// The line's order to end the call at the far end. Nil: the far end does not know of the call.
    private func end(of call: Call, _ reason: EndReason) -> LineCommand? {
        guard let leg = call.leg else { return nil }
        let refusal = LineCommand.refuse(leg, reason.refusal(declinedAs: policy.declinedAs))
        switch call.state {
        case .ringingIn: return refusal
        case .ringingOut(.preparing): return nil
        case .ringingOut(.dialling), .ringingOut(.dialled): return .end(leg, because: reason.hangUpCause)
        case .connecting(let connecting):
            switch connecting.stage {
            case .preparing: return refusal
            case .answering, .settingUp: return .end(leg, because: reason.hangUpCause)
            }
        case .active, .onHold, .reconnecting: return .end(leg, because: reason.hangUpCause)
        case .idle, .disconnecting, .ended, .failed: return nil
        }
    }

    /// The time for a BYE is up without a confirmation, so the call ends now. The watchdog runs first: it has already
    /// answered the requester in this instant.
    mutating func finishUnconfirmed(_ call: Call, _ disconnecting: Disconnecting) {
        finish(call, disconnecting.reason, at: disconnecting.since)
    }

    private mutating func finish(_ call: Call, _ reason: EndReason, at ended: Instant) {
        settle(.end, of: call.id, .fulfilled)
        var call = call
        call.state = reason.isFailure ? .failed(reason) : .ended(reason)
        if policy.keepsNoHistory != true {
            emit(.vault(.addHistory(call.historyEntry(ended: ended, reason: reason))))
        }
        var summary = phone.summary(of: call, policy)
        summary.seconds = call.answered.map { Int(max(.zero, ended - $0).components.seconds) } ?? 0
        summary.serverEnd = call.serverEnd
        if let missed = call.missed(for: reason) { miss(call, missed) }
        if reason == .answeredElsewhere { notice(.answeredElsewhere(summary)) }
        notice(.callEnded(summary, reason))
        phone[call.id] = nil
    }

    /// The server explains the end that its line reports next.
    mutating func endTold(_ id: CallID, _ told: ServerEnd) {
        let shortest = 128
        phone[id]?.serverEnd = ServerEnd(
            cause: told.cause?.shown(bytes: shortest), code: told.code, text: told.text?.shown(bytes: shortest))
    }

    /// Remembers an ended call, because its other source may still report it.
    private mutating func remember(_ call: Call, overFor reason: EndReason) {
        // A call of the previous process has no other source, and its caller may call again at once.
        guard call.direction == .incoming, reason != .interrupted else { return }
        // A call without a leg that caller info did not announce was refused by its line, which reported it.
        let isOffered = call.leg != nil || !call.who.hasInfo
        let sources: [RecentCalls.Source] = (isOffered ? [.offer] : []) + (call.who.hasInfo ? [.info] : [])
        remember(call.who, reason, sources: sources, isRecorded: true)
    }

    /// Keeps a missed call until it is seen. If there are too many, the oldest are only counted.
    private mutating func miss(_ call: Call, _ reason: MissedReason) {
        if phone.missed.count == PhoneState.mostMissed {
            phone.missed.removeFirst()
            phone.missedBefore += 1
        }
        phone.missed.append(
            MissedCall(
                call: call.id, number: call.who.number, name: call.who.name, organisation: call.who.organisation?.name,
                account: call.account, at: call.started, reason: reason))
        notice(.missedCall(phone.summary(of: call, policy), reason))
    }

    /// A call was up when the program last stopped. Its signalling and media are gone; only its end is recorded.
    mutating func orphanFound(_ orphan: PersistedCall) {
        phone.callsMade += 1
        let id = CallID(.phone, phone.callsMade)
        var who = Identity(number: orphan.number)
        who.infoName = orphan.name
        phone.calls.append(
            Call(
                id: id, direction: orphan.direction, who: who, account: orphan.account, started: orphan.started,
                answered: orphan.answered))
        if let memo = orphan.memo { emit(.line(.orphanBye(orphan.account, memo: memo))) }
        end(id, .interrupted, overOnTheWire: true)
        // A call that came up since then has taken the orphan's place in the vault.
        if phone.kept == nil { emit(.vault(.clearPersisted)) }
    }

    /// A call rang when the program last stopped. Nobody answered it, so it is missed.
    mutating func ringingFound(_ found: RingingCall) {
        phone.callsMade += 1
        let info = CallerInfo(
            number: found.number, name: found.name, channel: found.called, organisation: found.organisation, sent: now)
        let id = CallID(.info, phone.callsMade)
        phone.calls.append(
            Call(
                id: id, direction: .incoming, who: Identity(info), account: found.account, started: found.started))
        end(id, .interrupted, overOnTheWire: true)
        // A call that rings since then may have taken its place in the vault.
        let isReplaced = phone.keptRinging?.contains { $0.call == found.call } ?? false
        if !isReplaced { emit(.vault(.clearRinging(found.call))) }
    }

    /// Ends every call at once: its goodbye is on the wire, and nothing waits for an answer. Everything that was under way
    /// is given up.
    mutating func reset() {
        abandonSwitch()
        abandonBackend(.signIn(.cancelled))
        if case .ending = phone.recording { phone.recording = nil }
        for call in phone.calls { end(call.id, .hungUpHere) }
        for call in phone.calls {
            if case .disconnecting(let disconnecting) = call.state { finishUnconfirmed(call, disconnecting) }
        }
        for entry in phone.actions.entries { settle(entry.kind, of: entry.call, .failed(.callEnded(.hungUpHere))) }
        (phone.recall, phone.consultation, phone.cradleDown) = (nil, nil, nil)
        if phone.sentPage != nil { endSentPage(.stopped) }
        if let run = phone.soundTest.run { soundTested(run.test.number, .noDevice) }
        switch phone.userAudio {
        case .closed, .paging: break
        case .inCall, .collecting, .told: if isHandsFree { phone.userAudio = .closed } else { listenForDigits() }
        }
    }

    mutating func shutDown() {
        guard phone.mode == .running else { return }
        phone.mode = .stopping
        phone.userAudio = .closed
        phone.relays = [:]
        phone.alarms = [:]
        for call in phone.calls { end(call.id, .shutDown) }
        abandonSwitch()
        abandonBackend(.shuttingDown)
    }

    /// When the last call has ended or its time is up, the lines close and the program stops.
    mutating func stopWhenDone() {
        guard phone.mode == .stopping, phone.calls.isEmpty else { return }
        phone.mode = .stopped
        emit(.line(.shutDown))
        emit(.stopped)
    }
}
