import Base

/// The one way out of a call.
extension Turn {
    /// Ends a call, whatever the cause: cradle, far end, timeout, refusal, silence, network, shutdown, crash.
    ///
    /// Sound stops at once. What is left is the goodbye on the wire; the call is over when the line says so, or when
    /// the farewell's time is up. The first reason stands.
    mutating func end(_ id: CallID, _ reason: EndReason, overOnTheWire: Bool = false) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ended, .failed:
            return
        case .disconnecting(let farewell):
            if overOnTheWire { finish(call, farewell.reason, at: farewell.since, confirmed: true) }
        case .idle:
            // Never announced: refused, and forgotten in the same turn, so that a flood of calls costs no memory.
            if !overOnTheWire { emit(.line(.refuse(id, reason.refusal(declinedAs: policy.declinedAs)))) }
            finish(call, reason, at: now, confirmed: true)
        case .ringingIn, .ringingOut, .connecting, .active, .onHold, .reconnecting:
            emit(.media(.release(id)))
            for action in phone.actions.takeAllButEnd(of: id) { settleAtOnce(action, .failed(.callEnded(reason))) }
            let goodbye = overOnTheWire ? nil : goodbye(to: call, reason)
            if let goodbye {
                emit(.line(goodbye))
                phone[id]?.state = .disconnecting(Farewell(reason: reason, since: now, until: now + policy.endTime))
            } else {
                finish(call, reason, at: now, confirmed: true)
            }
            callLeftEar(reason)
        }
    }

    /// What the far end has to be told, if it knows of the call at all.
    private func goodbye(to call: Call, _ reason: EndReason) -> LineEffect? {
        let refusal = LineEffect.refuse(call.id, reason.refusal(declinedAs: policy.declinedAs))
        switch call.state {
        case .ringingIn: return refusal
        case .ringingOut(.preparing): return nil
        case .ringingOut(.placing), .ringingOut(.placed): return .end(call.id)
        case .connecting(let connecting):
            switch connecting.stage {
            case .preparing: return refusal
            case .answering, .settingUp: return .end(call.id)
            }
        case .active, .onHold, .reconnecting: return .end(call.id)
        case .idle, .disconnecting, .ended, .failed: return nil
        }
    }

    /// The farewell's time is up: nobody confirmed the goodbye, and nobody waits any longer.
    mutating func finishUnconfirmed(_ call: Call, _ farewell: Farewell) {
        finish(call, farewell.reason, at: farewell.since, confirmed: false)
    }

    private mutating func finish(_ call: Call, _ reason: EndReason, at ended: Instant, confirmed: Bool) {
        settle(.end, of: call.id, confirmed ? .fulfilled : .failed(.timedOut))
        var call = call
        call.state = reason.isFailure ? .failed(reason) : .ended(reason)
        emit(.vault(.record(call.historyEntry(ended: ended, reason: reason))))
        if call.isMissed(for: reason) {
            phone.unseenMissedCalls += 1
            notice(.missedCall(call.summary, reason))
        }
        notice(.callEnded(call.summary, reason))
        phone[call.id] = nil
    }

    /// A call was up when the program last stopped. It has no wire and no media any more, only an end to be recorded.
    mutating func orphanFound(_ orphan: PersistedCall) {
        phone.callsMade += 1
        let id = CallID(.phone, phone.callsMade)
        phone.calls.append(
            Call(
                id: id, direction: orphan.direction, number: orphan.number, name: orphan.name,
                account: orphan.account, started: orphan.started, answered: orphan.answered))
        end(id, .interrupted, overOnTheWire: true)
        // A call that came up since then has taken the orphan's place in the vault.
        if phone.keptCall == nil { emit(.vault(.clearPersisted)) }
    }

    mutating func shutDown() {
        guard phone.mode == .running else { return }
        phone.mode = .stopping
        phone.ear = .closed
        for call in phone.calls { end(call.id, .shutDown) }
    }

    /// Every goodbye was said, or had its time: the lines close, and so does the program.
    mutating func stopWhenDone() {
        guard phone.mode == .stopping, phone.calls.isEmpty else { return }
        phone.mode = .stopped
        emit(.line(.shutDown))
        emit(.stopped)
    }
}
