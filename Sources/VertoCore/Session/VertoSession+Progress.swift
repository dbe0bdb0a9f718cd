import Base
import JSON

/// Handles the progress of a call at the server.
extension VertoSession {
    mutating func rings(_ call: VertoCall, _ params: JSONValue) {
        switch call.phase {
        case .inviting, .proceeding:
            guard !call.isRinging else { return drop(.repeated) }
            var call = call
            (call.phase, call.isRinging) = (.proceeding, true)
            update(call)
            tell(call.id, .ringing(callee: params.party("callee_id_name", "callee_id_number"), params.references))
        case .offered, .answering, .active, .recovering, .attaching, .rejoining: drop(.wrongPhase)
        }
    }

    /// Handles early media. The first of this and the answer holds the description.
    mutating func earlyMedia(_ call: VertoCall, _ params: JSONValue) {
        switch call.phase {
        case .inviting, .proceeding:
            guard let sdp = params.sdp else { return drop(.noDescription) }
            guard !call.hasDescription else { return drop(.repeated) }
            var call = call
            (call.phase, call.hasDescription) = (.proceeding, true)
            update(call)
            tell(call.id, .earlyMedia(sdp: sdp))
        case .offered, .answering, .active, .recovering, .attaching, .rejoining: drop(.wrongPhase)
        }
    }

    mutating func answeredByFarEnd(_ call: VertoCall, _ params: JSONValue, at now: Instant) {
        switch call.phase {
        case .inviting, .proceeding:
            guard call.hasDescription || params.sdp != nil else {
                drop(.noDescription)
                return hangUp(call, .incompatibleDestination, as: .incompatible, at: now)
            }
            var call = call
            (call.phase, call.hasDescription) = (.active, true)
            (call.isAnswered, call.isConfirmed) = (true, true)
            update(call)
            tell(call.id, .answered(sdp: params.sdp))
        case .active: drop(.repeated)
        case .offered, .answering, .recovering, .attaching, .rejoining: drop(.wrongPhase)
        }
    }

    /// Ends the call in every state. The BYE gets only an acknowledgement.
    mutating func hungUpByFarEnd(_ call: VertoCall, _ params: JSONValue) {
        let end = VertoEnd(
            cause: params.shown("cause", bytes: VertoLimits.causeBytes), code: params.number("causeCode"),
            sipCode: params.number("sipCode"),
            sipReason: params.shown("sipReason", bytes: VertoLimits.messageBytes), wasRinging: call.isUnconfirmed)
        // The server ends a call that it has transferred, and its BYE may come before the answer to the request.
        if end.reason == .hungUp, requests.contains(where: { $0 == .transfer(call.id) }) { tell(call.id, .transferred) }
        self.end(call.id, end)
    }

    /// Handles a candidate of the far end. A call that waits for recovery has no media for it.
    mutating func heardCandidate(of call: VertoCall, _ params: JSONValue) {
        switch call.phase {
        case .inviting, .proceeding, .offered, .answering, .active, .attaching, .rejoining: break
        case .recovering: return drop(.wrongPhase)
        }
        guard call.candidatesHeard < VertoLimits.candidates else { return drop(.tooManyCandidates) }
        guard let candidate = params.candidate else { return drop(.badCandidate) }
        var call = call
        call.candidatesHeard += 1
        update(call)
        tell(call.id, .candidate(candidate))
    }

    mutating func heardEndOfCandidates(of call: VertoCall) {
        switch call.phase {
        case .inviting, .proceeding, .offered, .answering, .active, .attaching, .rejoining:
            tell(call.id, .endOfCandidates)
        case .recovering: drop(.wrongPhase)
        }
    }
}
