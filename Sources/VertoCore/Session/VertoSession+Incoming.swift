import Base
import JSON

/// Handles calls to us, and calls that the server gives back.
extension VertoSession {
    mutating func invited(_ id: VertoCallID, _ params: JSONValue, at now: Instant) {
        // The call has ended here, and the server did not know it.
        if let entry = past.entry(of: id, at: now) {
            drop(.endedCall)
            return sayBye(id, entry.cause, at: now)
        }
        guard let sdp = params.sdp else {
            drop(.noDescription)
            return sayBye(id, .incompatibleDestination, at: now)
        }
        var drops: [VertoDrop] = []
        let offer = VertoIncomingCall(
            sdp: sdp, caller: params.party("caller_id_name", "caller_id_number"),
            callee: params.party("callee_id_name", "callee_id_number"), references: params.references,
            headers: VertoHeaders.read(params, dialect) { drops.append($0) },
            statements: VertoHeaders.statements(params, dialect),
            clientState: params.visible("client_state", bytes: VertoLimits.clientStateBytes))
        for reason in drops { drop(reason) }
        guard calls.count < VertoLimits.calls else {
            drop(.noRoom)
            tell(id, .turnedAway(offer))
            return sayBye(id, .userBusy, at: now)
        }
        begin(VertoCall(theirs: id), at: now)
        tell(id, .incoming(offer))
    }

    /// Handles a repeated invite. A call that still rings here is offered again after a lost connection. Any other
    /// repetition is dropped.
    mutating func invitedAgain(_ call: VertoCall, _ params: JSONValue) {
        switch call.phase {
        case .recovering where call.isUnconfirmed: offerAnew(call, params)
        case .inviting, .proceeding, .offered, .answering, .active, .recovering, .attaching, .rejoining:
            drop(.duplicateCall)
        }
    }

    private mutating func offerAnew(_ call: VertoCall, _ params: JSONValue) {
        guard let sdp = params.sdp else { return drop(.noDescription) }
        var call = call
        (call.phase, call.isAnswered) = (.offered, false)
        update(call)
        tell(call.id, .reoffered(sdp: sdp))
    }

    mutating func attached(_ call: VertoCall, _ params: JSONValue, at now: Instant) {
        switch call.phase {
        // Nobody here has answered it, and the answer to an attachment would do so.
        case .recovering where call.isUnanswered, .offered: offerAnew(call, params)
        case .recovering(let until), .attaching(let until), .rejoining(let until):
            attach(call, params, until: until)
        case .inviting, .proceeding, .active: attach(call, params, until: now + VertoTiming.reattachLimit)
        case .answering: drop(.wrongPhase)
        }
    }

    private mutating func attach(_ call: VertoCall, _ params: JSONValue, until: Instant) {
        guard let sdp = params.sdp else { return drop(.noDescription) }
        // The owner learns of the attachment first, so that it can delay requests that fail because of it.
        tell(call.id, .attachOffered(sdp: sdp))
        var call = call
        interrupt(&call)
        call.phase = .attaching(until: until)
        update(call)
    }

    /// Ends a call at the server that is unknown here. It belongs to an earlier process, or has ended.
    mutating func attachedUnknown(_ id: VertoCallID, at now: Instant) {
        let entry = past.entry(of: id, at: now)
        drop(entry == nil ? .unknownCall : .endedCall)
        sayBye(id, entry?.cause ?? .recoveryOnTimerExpire, at: now)
    }
}
