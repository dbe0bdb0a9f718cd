import Base

/// Requests from other programs, and from a person at the panel. Both use the same functions.
extension Transition {
    /// - Returns: Why it was refused; nil if it is done or under way.
    @discardableResult
    mutating func perform(_ request: Request, as id: ActionID) -> ActionFailure? {
        // The requester chooses the identifier; a repeated one is the same action.
        guard !phone.actions.contains(id), phone.switching?.cause != .action(id), phone.soundTest.run?.action != id,
            !phone.backend.pendingActions.contains(where: { $0.id == id })
        else { return .alreadyUnderWay }
        do throws(ActionFailure) {
            try act(request, as: id)
            return nil
        } catch {
            settleAtOnce(id, .failed(error))
            return error
        }
    }

    private mutating func act(_ request: Request, as id: ActionID) throws(ActionFailure) {
        if request == .status {
            emit(.control(.snapshot(id, phone.snapshot(policy))))
            return settleAtOnce(id, .fulfilled)
        }
        guard phone.mode == .running else { throw .shuttingDown }
        switch request {
        case .dial(let text, let account, let presentation):
            return try dial(SpeedDial([text], account: account), showing: presentation, as: id)
        case .pickUp(let number, let account): return try pickUp(number, account: account, as: id)
        case .answer(let call): return try answer(call, as: id)
        case .hangUp(let call): return try hangUp(call, as: id)
        case .decline(let call): return try hangUp(meant(call, \.isRinging).id, as: id)
        case .hold(let call): return try hold(call, by: id)
        case .resume(let call): return try resume(call, as: id)
        case .toggleHold(let call): return try toggleHold(call, as: id)
        case .transfer(let call, let target): return try transfer(call, to: target, as: id)
        case .connect(let first, let second): return try connect(first, second, as: id)
        case .switchOrganisation(let target): return try switchOrganisation(target, as: id)
        case .organisations: return try listOrganisations(as: id)
        case .signIn: return try signIn(as: id)
        case .signOut: return try signOut(as: id)
        case .cancelSignIn: try cancelSignIn()
        case .startRecording(let call): return try startRecording(call, as: id)
        case .stopRecording: return try stopRecording(as: id)
        case .startPlayback(let file, let call): return try startPlayback(file, call, as: id)
        case .testSound(let route): return try testSound(route, as: id)
        case .mute(let muted): try mute(muted)
        case .toggleMute: try mute(!phone.isMuted)
        case .dtmf(let call, let elements): try sendDigits(call, elements)
        case .route(let route): setRoute(route)
        case .speaker(let on): switchSpeaker(on: on)
        case .toggleSpeaker: handsFreePressed(.speaker)
        case .conference: try confer()
        case .acceptTransfer(let call): try acceptTransfer(call)
        case .declineTransfer(let call): try declineTransfer(call)
        case .compareWords(let call, let agree): try compareWords(call, agree: agree)
        case .stopPlayback: try stopPlayback()
        case .startPage(let group): try startPage(group)
        case .stopPage: try stopPage()
        case .silenceRinger: try silenceRinger()
        case .doNotDisturb(let on): change { $0.doNotDisturb = on }
        case .volume(let kind, let level): change { $0.setVolume(kind, level) }
        case .connectAccounts: connectAccounts()
        case .disconnectAccounts: try disconnectAccounts()
        case .reconnect: reconnectAccounts { _ in true }
        case .relay(let number, let order): try workRelay(number, order)
        case .clearMissedCalls(let call): try clearMissedCalls(call)
        case .reset: reset()
        case .status: break
        }
        settleAtOnce(id, .fulfilled)
    }

    /// The call that a request means. Without an identifier it is the call that has the audio focus, if the request
    /// applies to it. Else it is the only call that the request applies to.
    /// - Throws: `noSuchCall` also if several could be meant.
    func meant(_ wanted: CallID?, _ applies: (Call) -> Bool) throws(ActionFailure) -> Call {
        if let wanted {
            guard let call = phone[wanted] else { throw .noSuchCall }
            return call
        }
        if let focus = phone.focus, applies(focus) { return focus }
        let possible = phone.calls.filter(applies)
        guard possible.count == 1 else { throw .noSuchCall }
        return possible[0]
    }

    /// Like `meant`, but falls back to the call that has the audio focus. The request itself then explains why it does
    /// not apply.
    func meantOrFocus(_ wanted: CallID?, _ applies: (Call) -> Bool) throws(ActionFailure) -> Call {
        if wanted == nil, let focus = phone.focus, !phone.calls.contains(where: applies) { return focus }
        return try meant(wanted, applies)
    }

    /// Declines, cancels or ends the call, depending on its progress.
    private mutating func hangUp(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        if wanted == nil, !phone.calls.contains(where: \.isLive), phone.actions.contains(.end) {
            throw .alreadyUnderWay
        }
        let call = try meant(wanted ?? phone.focus?.id, \.isRinging)
        switch call.state {
        case .ringingIn:
            begin(action, .end, call.id, within: policy.endTime)
            end(call.id, .declined)
        case .ringingOut, .connecting, .active, .onHold, .reconnecting:
            begin(action, .end, call.id, within: policy.endTime)
            end(call.id, call.transfer == nil ? .hungUpHere : .transferred)
        case .disconnecting:
            throw .alreadyUnderWay
        case .idle, .ended, .failed:
            throw .wrongState
        }
    }

    private mutating func mute(_ muted: Bool) throws(ActionFailure) {
        if phone.sentPage != nil { return mutePage(muted) }
        guard let call = phone.focus else { throw .noSuchCall }
        guard call.isUp else { throw .wrongState }
        setMute(muted, of: call)
    }

    private mutating func silenceRinger() throws(ActionFailure) {
        guard phone.recall != nil || phone.calls.contains(where: \.isRinging) else { throw .noSuchCall }
        phone.recall = nil
        for call in phone.calls {
            guard case .ringingIn(var ringing) = call.state else { continue }
            ringing.silenced = true
            phone[call.id]?.state = .ringingIn(ringing)
        }
    }

    private mutating func clearMissedCalls(_ call: CallID?) throws(ActionFailure) {
        if let call {
            guard let index = phone.missed.firstIndex(where: { $0.call == call }) else { throw .noSuchCall }
            let seen = phone.missed.remove(at: index)
            let isFormer = seen.call.origin == .past
            emit(.vault(isFormer ? .formerMissedCallSeen(seen.call.number) : .missedCallsSeen(seen.at)))
        } else {
            guard phone.unseenMissedCalls > 0 else { return }
            (phone.missed, phone.missedBefore) = ([], 0)
            emit(.vault(.missedCallsSeen(nil)))
        }
        if phone.unseenMissedCalls == 0 { notice(.missedCallsSeen) }
    }
}

/// Actions. Each is begun, and settled exactly once.
extension Transition {
    /// An identifier for an action that a person requests at the panel, or the machine on a person's behalf.
    mutating func panelAction() -> ActionID {
        phone.panelActions += 1
        return ActionID(.panel, phone.panelActions)
    }

    mutating func begin(_ id: ActionID, _ kind: ActionLedger.Kind, _ call: CallID, within time: Duration) {
        phone.actions.begin(ActionLedger.Entry(id: id, kind: kind, call: call, due: now + time))
    }

    /// Settles this call's action of one kind, if there is one.
    mutating func settle(_ kind: ActionLedger.Kind, of call: CallID, _ outcome: ActionOutcome) {
        guard let id = phone.actions.take(kind, of: call) else { return }
        emit(.control(.settled(id, outcome)))
    }

    /// Settles an action that was never begun: it is done, or refused, at once.
    mutating func settleAtOnce(_ id: ActionID, _ outcome: ActionOutcome) {
        emit(.control(.settled(id, outcome)))
    }

    /// The watchdog. It fails the action and leaves its call in a state that a person can leave.
    mutating func overrun(_ entry: ActionLedger.Entry) {
        switch entry.kind {
        case .answer: giveUpConnecting(entry.call)
        case .start: giveUpStarting(entry.call)
        case .end: break  // The time for the BYE is up at the same instant.
        case .hold: break  // The line goes on negotiating. The microphone stays closed until it has finished.
        case .resume: stopQueueing(entry.call)
        case .transfer: break  // The calls stay as they are until the line knows more.
        case .startRecording: phone.recording = .ending(entry.call)
        case .stopRecording: break  // The disk is slow; nothing is recorded any more.
        case .startPlayback: phone.playback = nil
        }
        settle(entry.kind, of: entry.call, .failed(.timedOut))
    }
}

/// The actions that were requested and are not settled yet. Each entry is removed exactly once, with its outcome.
///
/// A call has at most one entry of each kind: a second request is refused while the first is pending. The number of
/// calls is limited, and so is the number of entries.
struct ActionLedger: Equatable, Codable, Sendable {
    enum Kind: Equatable, Codable, Sendable {
        case answer, start, end, hold, resume, transfer, startRecording, stopRecording, startPlayback
    }

    struct Entry: Equatable, Codable, Sendable {
        let id: ActionID
        let kind: Kind
        let call: CallID
        var due: Instant
    }

    private(set) var entries: [Entry] = []

    func contains(_ id: ActionID) -> Bool { entries.contains { $0.id == id } }
    func contains(_ kind: Kind) -> Bool { entries.contains { $0.kind == kind } }

    mutating func begin(_ entry: Entry) { entries.append(entry) }

    /// Gives this call's action of one kind more time.
    mutating func extend(_ kind: Kind, of call: CallID, to due: Instant) {
        guard let index = entries.firstIndex(where: { $0.kind == kind && $0.call == call }) else { return }
        entries[index].due = max(entries[index].due, due)
    }

    /// Removes this call's action of one kind.
    mutating func take(_ kind: Kind, of call: CallID) -> ActionID? {
        guard let index = entries.firstIndex(where: { $0.kind == kind && $0.call == call }) else { return nil }
        return entries.remove(at: index).id
    }

    /// Removes all actions of this call, except its end, which is being carried out.
    mutating func takeAllButEnd(of call: CallID) -> [ActionID] {
        let taken = entries.filter { $0.call == call && $0.kind != .end }.map(\.id)
        entries.removeAll { $0.call == call && $0.kind != .end }
        return taken
    }
}
