import SIPCore

/// Handles calls that ask to replace another one (RFC 3891): from the target of an attended transfer, or from a phone
/// that picks up our call.
extension LineMachine {
    enum Replacement: Equatable {
        /// The call replaces no other call.
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
        // An unanswered call that we did not place cannot be replaced (RFC 3891 §3).
        case .locating, .offered: return .refused(.callDoesNotExist)
        case .inviting: return .of(id)
        case .established: return replaces.isEarlyOnly ? .refused(.busyHere) : .of(id)
        case .leaving: return .refused(.decline)
        }
    }

    private func isNamed(_ leg: Leg, by replaces: Replaces) -> Bool {
        switch leg {
        case .locating: return false
        // A ringing call may have many far-end tags, and all of them belong to it. So the far end's tag is not
        // compared.
        case .inviting(let inviting):
            let callID = sent[inviting.transaction]?.request.headers[.callID]
            return replaces.toTag == inviting.localTag && replaces.callID == callID
        case .offered, .established, .leaving: return leg.dialog.map { replaces.names($0.id) } ?? false
        }
    }
}
