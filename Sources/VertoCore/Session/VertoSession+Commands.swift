import Base
import JSON
import Telephony

/// Carries out the owner's commands for calls.
extension VertoSession {
    mutating func perform(_ command: VertoCallCommand, of id: VertoCallID, at now: Instant) {
        switch (command, call(id)) {
        case (.invite(let invitation), nil): invite(id, invitation, at: now)
        // The id is taken. The call that has it goes on.
        case (.invite, _?): break
        case (.answer(let sdp, let headers, let isTrickled), let call?):
            answer(call, sdp, headers, isTrickled: isTrickled, at: now)
        case (.bye(let cause), let call?): hangUp(call, cause, as: .here, at: now)
        case (.hold(let wanted), let call?): hold(call, wanted, at: now)
        case (.dtmf(let digit), let call?): dtmf(call, digit, at: now)
        case (.candidate(let candidate), let call?): give(candidate, of: call, at: now)
        case (.endOfCandidates, let call?): endOfCandidates(call, at: now)
        case (.updateMedia(let sdp), let call?): updateMedia(call, sdp, at: now)
        case (.transfer(let target), let call?):
            transfer(call, ["action": "transfer", "destination": .string(target)], at: now)
        case (.replace(let other), let call?):
            transfer(call, ["action": "replace", "replaceCallID": .string(other.rawValue)], at: now)
        case (.attachAnswer(let sdp), let call?): answerAttachment(call, sdp, at: now)
        case (.answer, nil), (.bye, nil), (.hold, nil), (.dtmf, nil), (.candidate, nil), (.endOfCandidates, nil),
            (.updateMedia, nil), (.transfer, nil), (.replace, nil), (.attachAnswer, nil):
            break
        }
    }

    private mutating func invite(_ id: VertoCallID, _ invitation: VertoInvitation, at now: Instant) {
        guard case .ready = phase, calls.count < VertoLimits.calls else {
            return tell(id, .ended(VertoEnd(.notReady)))
        }
        let isTrickled = invitation.isTrickled && dialect.canTrickle
        begin(VertoCall(ours: id, isTrickled: isTrickled), at: now)
        var dialog: [String: JSONValue] = [
            "destination_number": .string(invitation.destination), "audio": true, "video": false, "useStereo": false,
            "screenShare": false, "attach": false,
        ]
        dialog["caller_id_name"] = invitation.caller.name.map { .string($0) }
        dialog["caller_id_number"] = invitation.caller.number.map { .string($0) }
        VertoHeaders.write(invitation.headers, to: &dialog, dialect)
        let params = described(invitation.sdp, isTrickled: isTrickled)
        request(.invite, of: id, params, dialog: dialog, .invite(id), at: now)
    }

    private func described(_ sdp: String, isTrickled: Bool = false) -> [String: JSONValue] {
        var params: [String: JSONValue] = ["sdp": .string(sdp)]
        if isTrickled { params["trickle"] = true }
        if dialect.hasInstances { params["User-Agent"] = .string(configuration.agent) }
        return params
    }

    private mutating func answer(
        _ call: VertoCall, _ sdp: String, _ headers: [CallHeader], isTrickled: Bool, at now: Instant
    ) {
        switch call.phase {
        case .offered:
            var call = call
            (call.phase, call.isAnswered) = (.answering, true)
            call.isTrickled = isTrickled && dialect.canTrickle
            let waiting = call.isTrickled ? call.candidates : []
            let isEnd = call.isTrickled && call.isEndOfCandidatesWaiting
            (call.candidates, call.isEndOfCandidatesWaiting) = ([], false)
            update(call)
            var dialog: [String: JSONValue] = [:]
            VertoHeaders.write(headers, to: &dialog, dialect)
            let params = described(sdp, isTrickled: call.isTrickled)
            request(.answer, of: call.id, params, dialog: dialog, .answer(call.id), at: now)
            for candidate in waiting { send(candidate, of: call.id, at: now) }
            if isEnd { request(.endOfCandidates, of: call.id, at: now) }
        case .inviting, .proceeding, .answering, .active, .recovering, .attaching, .rejoining: break
        }
    }

    private mutating func updateMedia(_ call: VertoCall, _ sdp: String, at now: Instant) {
        switch call.phase {
        case .active:
            requests.forget { $0 == .updateMedia(call.id) }
            let id = JSONValue.string(call.id.rawValue)
            request(
                .modify, of: call.id, ["action": "updateMedia", "sdp": .string(sdp), "callID": id],
                .updateMedia(call.id), at: now)
        case .inviting, .proceeding, .offered, .answering, .recovering, .attaching, .rejoining:
            tell(call.id, .mediaUpdateFailed)
        }
    }

    private mutating func transfer(_ call: VertoCall, _ params: [String: JSONValue], at now: Instant) {
        switch call.phase {
        case .active where dialect.canTransfer:
            // One at a time: the first one may already have transferred the far end.
            guard !requests.contains(where: { $0 == .transfer(call.id) }) else { return tell(call.id, .transferFailed) }
            request(.modify, of: call.id, params, .transfer(call.id), at: now)
        case .active, .inviting, .proceeding, .offered, .answering, .recovering, .attaching, .rejoining:
            tell(call.id, .transferFailed)
        }
    }

    private mutating func answerAttachment(_ call: VertoCall, _ sdp: String, at now: Instant) {
        switch call.phase {
        case .attaching(let until):
            var call = call
            call.phase = .rejoining(until: until)
            update(call)
            request(.attach, of: call.id, described(sdp), dialog: ["attach": true], .attach(call.id), at: now)
        case .inviting, .proceeding, .offered, .answering, .active, .recovering, .rejoining: break
        }
    }

    // MARK: Candidates

    private mutating func give(_ candidate: VertoCandidate, of call: VertoCall, at now: Instant) {
        switch call.phase {
        case .offered:
            guard call.candidates.count < VertoLimits.candidates else { return }
            var call = call
            call.candidates.append(candidate)
            update(call)
        case .inviting, .proceeding, .answering, .active, .rejoining:
            if call.isTrickled { send(candidate, of: call.id, at: now) }
        // The answer to an attachment holds the candidates that are known before it.
        case .recovering, .attaching: break
        }
    }

    private mutating func send(_ candidate: VertoCandidate, of id: VertoCallID, at now: Instant) {
        var params: [String: JSONValue] = ["candidate": .string(candidate.candidate)]
        params["sdpMid"] = candidate.mid.map { .string($0) }
        params["sdpMLineIndex"] = candidate.lineIndex.map { .integer(Int64($0)) }
        request(.candidate, of: id, params, at: now)
    }

    private mutating func endOfCandidates(_ call: VertoCall, at now: Instant) {
        switch call.phase {
        case .offered:
            var call = call
            call.isEndOfCandidatesWaiting = true
            update(call)
        case .inviting, .proceeding, .answering, .active, .rejoining:
            if call.isTrickled { request(.endOfCandidates, of: call.id, at: now) }
        case .recovering, .attaching: break
        }
    }
}
