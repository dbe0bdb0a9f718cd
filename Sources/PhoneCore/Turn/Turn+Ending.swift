import Base

/// The one way out of a call.
extension Turn {
    /// Ends a call, whatever the cause: cradle, far end, timeout, refusal, silence, network, shutdown, crash.
    ///
    /// Sound stops at once. What is left is the goodbye on the wire; the call is over when the line says so, or when
    /// the time for a BYE is up. The first reason stands.
    mutating func end(_ id: CallID, _ reason: EndReason, overOnTheWire: Bool = false) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ended, .failed:
            return
        case .disconnecting(let disconnecting):
            if overOnTheWire { finish(call, disconnecting.reason, at: disconnecting.since) }
        case .idle:
            // Never announced: refused, and forgotten in the same turn, so that a flood of calls costs no memory.
            let refusal = reason.refusal(declinedAs: policy.declinedAs)
            if !overOnTheWire, let leg = call.leg { emit(.line(.refuse(leg, refusal))) }
            finish(call, reason, at: now)
            remember(call, overFor: reason)
        case .ringingIn, .ringingOut, .connecting, .active, .onHold, .reconnecting:
            emit(.media(.release(id)))
            remember(call, overFor: reason)
            for action in phone.actions.takeAllButEnd(of: id) { settleAtOnce(action, .failed(.callEnded(reason))) }
            let goodbye = overOnTheWire ? nil : goodbye(to: call, reason)
            if let goodbye {
                emit(.line(goodbye))
                phone[id]?.state = .disconnecting(
                    Disconnecting(reason: reason, since: now, until: now + policy.endTime))
            } else {
                finish(call, reason, at: now)
            }
            abandonSwitch(for: id)
            if !dialNext(after: call, reason) && !comeBack(after: call, reason) { callLeftEar(reason) }
        }
    }

    /// What the far end has to be told, if it knows of the call at all.
    private func goodbye(to call: Call, _ reason: EndReason) -> LineEffect? {
        guard let leg = call.leg else { return nil }
        let refusal = LineEffect.refuse(leg, reason.refusal(declinedAs: policy.declinedAs))
        switch call.state {
        case .ringingIn: return refusal
        case .ringingOut(.preparing): return nil
        case .ringingOut(.placing), .ringingOut(.placed): return .end(leg)
        case .connecting(let connecting):
            switch connecting.stage {
            case .preparing: return refusal
            case .answering, .settingUp: return .end(leg)
            }
        case .active, .onHold, .reconnecting: return .end(leg)
        case .idle, .disconnecting, .ended, .failed: return nil
        }
    }

    /// The time for a BYE is up: nobody confirmed the goodbye, and nobody waits any longer. Whoever asked for it has
    /// heard that in this instant from the watchdog, which comes first.
    mutating func finishUnconfirmed(_ call: Call, _ disconnecting: Disconnecting) {
        finish(call, disconnecting.reason, at: disconnecting.since)
    }

    private mutating func finish(_ call: Call, _ reason: EndReason, at ended: Instant) {
        settle(.end, of: call.id, .fulfilled)
        var call = call
        call.state = reason.isFailure ? .failed(reason) : .ended(reason)
        emit(.vault(.addHistory(call.historyEntry(ended: ended, reason: reason))))
        let summary = phone.summary(of: call, policy)
        if let missed = call.missed(for: reason) { miss(call, missed) }
        if reason == .answeredElsewhere { notice(.answeredElsewhere(summary)) }
        notice(.callEnded(summary, reason))
        phone[call.id] = nil
    }

    /// From the moment it ends its other source may still tell of it.
    private mutating func remember(_ call: Call, overFor reason: EndReason) {
        // A call of the process before has no other source: whoever calls again is welcome.
        guard call.direction == .incoming, reason != .interrupted else { return }
        let sources: [RecentCalls.Source] = (call.leg == nil ? [] : [.offer]) + (call.who.hasInfo ? [.info] : [])
        remember(call.who, reason, sources: sources, isRecorded: true)
    }

    /// Shown until seen. Of very many the oldest are counted only.
    private mutating func miss(_ call: Call, _ reason: MissedReason) {
        if phone.missed.count == PhoneState.mostMissed {
            phone.missed.removeFirst()
            phone.missedBefore += 1
        }
        phone.missed.append(
            MissedCall(call: call.id, number: call.who.number, name: call.who.name, at: call.started, reason: reason))
        notice(.missedCall(phone.summary(of: call, policy), reason))
    }

    /// A call was up when the program last stopped. It has no wire and no media any more, only an end to be recorded.
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

    mutating func shutDown() {
        guard phone.mode == .running else { return }
        phone.mode = .stopping
        phone.ear = .closed
        phone.relays = [:]
        for call in phone.calls { end(call.id, .shutDown) }
        abandonSwitch()
    }

    /// Every goodbye was said, or had its time: the lines close, and so does the program.
    mutating func stopWhenDone() {
        guard phone.mode == .stopping, phone.calls.isEmpty else { return }
        phone.mode = .stopped
        emit(.line(.shutDown))
        emit(.stopped)
    }
}
