import Base

/// What another program, or a person through the panel, asks. Both take this way.
extension Turn {
    /// The longest sequence of digits taken at once, pauses included.
    private static let longestDTMF = 64

    /// - Returns: why it was refused; nil when it is done or under way.
    @discardableResult
    mutating func perform(_ request: Request, as id: ActionID) -> ActionFailure? {
        // Identifiers are the asker's; a repeated one is the same action.
        guard !phone.actions.contains(id) else { return .alreadyUnderWay }
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
            emit(.control(.snapshot(id, phone.snapshot)))
            return settleAtOnce(id, .fulfilled)
        }
        guard phone.mode == .running else { throw .shuttingDown }
        guard phone.actions.hasRoom else { throw .noRoom }
        switch request {
        case .dial(let text, let account): return try dial(text, account: account, as: id)
        case .answer(let call): return try answer(call, as: id)
        case .hangUp(let call): return try hangUp(call, as: id)
        case .hold(let call): return try hold(call, by: id)
        case .resume(let call): return try resume(call, as: id)
        case .mute(let muted): try mute(muted)
        case .dtmf(let call, let elements): try sendDigits(call, elements)
        case .route(let route): setRoute(route)
        case .clearMissedCalls: phone.unseenMissedCalls = 0
        case .status: break
        }
        settleAtOnce(id, .fulfilled)
    }

    /// Declines, cancels or ends, whichever the call's progress asks for.
    private mutating func hangUp(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        let ringing = phone.calls.filter(\.isRinging)
        let meant = wanted.map { phone[$0] } ?? phone.focus ?? (ringing.count == 1 ? ringing[0] : nil)
        guard let call = meant else {
            throw wanted == nil && phone.actions.contains(.end) ? .alreadyUnderWay : .noSuchCall
        }
        switch call.state {
        case .ringingIn:
            begin(action, .end, call.id, within: policy.endTime)
            end(call.id, .declined)
        case .ringingOut, .connecting, .active, .onHold, .reconnecting:
            begin(action, .end, call.id, within: policy.endTime)
            end(call.id, .hungUpHere)
        case .disconnecting:
            throw .alreadyUnderWay
        case .idle, .ended, .failed:
            throw .wrongState
        }
    }

    private mutating func mute(_ muted: Bool) throws(ActionFailure) {
        guard let call = phone.focus else { throw .noSuchCall }
        switch call.state {
        case .active, .onHold: editTalk(call.id) { talk, _ in talk.muted = muted }
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }

    /// Done when Media has the digits; that the last one left is a notice.
    private mutating func sendDigits(_ wanted: CallID?, _ elements: [DTMFElement]) throws(ActionFailure) {
        guard let call = wanted.map({ phone[$0] }) ?? phone.focus else { throw .noSuchCall }
        guard !elements.isEmpty else { throw .invalidTarget }
        guard elements.count <= Self.longestDTMF else { throw .noRoom }
        switch call.state {
        case .active(let talk):
            guard talk.plan.telephoneEvents != nil else { throw .refusedThere }
            emit(.media(.dtmf(call.id, elements)))
        case .idle, .ringingIn, .ringingOut, .connecting, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }
}
