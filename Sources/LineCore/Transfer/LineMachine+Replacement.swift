import SIPCore

/// A call that is to take the place of another one (RFC 3891): the target of an attended transfer, or a call that is
/// picked up from us.
extension LineMachine {
    enum Replacement: Equatable {
        /// It is a call like any other.
        case none
        case of(LegID)
        case refused(SIPStatus)
    }

    func replacement(by request: SIPRequest) -> Replacement {
        let replaces: Replaces?
        do throws(SIPParseError) { replaces = try request.headers.replaces } catch { return .refused(.badRequest) }
        guard let replaces else { return .none }
        if past.contains(replaces) { return .refused(.decline) }
        guard let (id, leg) = legs.first(where: { isNamed($0.value, by: replaces) }) else {
            return .refused(.callDoesNotExist)
        }
        switch leg {
        // A call that we did not begin is not taken from us before it is answered (RFC 3891 §3).
        case .placing, .offered: return .refused(.callDoesNotExist)
        case .inviting: return .of(id)
        case .established: return replaces.isEarlyOnly ? .refused(.busyHere) : .of(id)
        case .leaving: return .refused(.decline)
        }
    }

    private func isNamed(_ leg: Leg, by replaces: Replaces) -> Bool {
        switch leg {
        case .placing: return false
        // Of a dialog that is early the far end's tag may be one of many, and each of them is this call.
        case .inviting(let inviting):
            let callID = sent[inviting.transaction]?.request.headers[.callID]
            return replaces.toTag == inviting.localTag && replaces.callID == callID
        case .offered, .established, .leaving: return leg.dialog.map { replaces.names($0.id) } ?? false
        }
    }
}
