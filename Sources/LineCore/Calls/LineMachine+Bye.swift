import Base
import SIPCore

extension LineMachine {
    /// Ends a leg from here, by the method that its state requires (RFC 3261 §9, §15).
    mutating func end(_ id: LegID, _ end: LegEnd, at now: Instant) {
        switch legs[id] {
        case nil, .leaving: break
        case .locating: finish(id, end, at: now)
        case .inviting(let inviting):
            leave(id, .cancelling(inviting.transaction, localTag: inviting.localTag), end, at: now)
            handle(layer.cancel(inviting.transaction, because: end.reason, at: now), at: now)
        case .offered(let offered):
            let refusal =
                end == .shutDown
                ? offered.response(.temporarilyUnavailable, because: .unavailable)
                : offered.response(configuration.declineStatus, because: .declined)
            handle(layer.respond(refusal, to: offered.transaction, at: now), at: now)
            finish(id, end, at: now)
        case .established(let established):
            if referrals.delays(end, of: id, at: now) { return }
            if established.unacknowledged == nil {
                sendBye(id, established.dialog, end, at: now)
            } else {
                leave(id, .awaitingACK(established), end, at: now)
            }
        }
    }

    mutating func sendBye(_ id: LegID, _ dialog: Dialog, _ end: LegEnd, at now: Instant) {
        var dialog = dialog
        var bye = dialog.request(.bye)
        bye.headers.set(.reason, end.reason)
        let isReported = legs[id]?.isReported ?? false
        timers.cancel(.success(id))
        if isReported {
            legs[id] = .leaving(.init(stage: .bye(dialog), end: end, isReported: true))
        } else {
            leave(id, .bye(dialog), end, at: now)
        }
        send(bye, in: dialog, .bye(id), at: now)
    }

    /// Sends BYE to a far end whose answer came too late.
    mutating func sendStrayBye(_ dialog: Dialog, at now: Instant) {
        var dialog = dialog
        var bye = dialog.request(.bye)
        bye.headers.append(.reason, Reason.completedElsewhere)
        send(bye, in: dialog, .strayBye, at: now)
    }

    /// Our BYE got a final response, or its time is over.
    mutating func byeAnswered(_ id: LegID, at now: Instant) {
        guard case .leaving(let leaving) = legs[id] else { return }
        finish(id, leaving.end, at: now)
    }

    mutating func receivedBye(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) {
        // A far end that has not answered may not send BYE: it refuses the INVITE (RFC 3261 §15).
        if case .inviting = legs[id] { return answer(request, .callDoesNotExist, transaction, at: now) }
        answer(request, .ok, transaction, at: now)
        switch legs[id] {
        case .offered(let offered):
            handle(layer.respond(offered.response(.requestTerminated), to: offered.transaction, at: now), at: now)
            finish(id, request.saysAnsweredElsewhere ? .answeredElsewhere : .cancelledThere, at: now)
        // Another phone answered first, and our answer is not reported yet.
        case .established(let established) where established.untoldAnswer != nil && request.saysAnsweredElsewhere:
            finish(id, .answeredElsewhere, at: now)
        // The BYE ends the call that was answered here, even if its Reason names another phone's answer.
        case .established:
            let reasons = (try? request.headers.reasons) ?? []
            tellEnd(id, reasons)
            finish(id, LegEnd(bye: reasons), at: now)
        case .leaving(let leaving): finish(id, leaving.end, at: now)
        case nil, .locating, .inviting: break
        }
    }
}

extension Leg {
    fileprivate var isReported: Bool {
        switch self {
        case .locating, .inviting, .offered, .established: false
        case .leaving(let leaving): leaving.isReported
        }
    }
}
