/// Candidates of this phone that are found after a call's sockets were opened (RFC 8838).
extension Transition {
    /// Sends the candidates to a far end that has our offer or answer; otherwise adds them to the offer or answer.
    mutating func found(_ candidates: [String], isLast: Bool, of id: CallID) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingIn(var ringing):
            ringing.endpoint = ringing.endpoint?.adding(candidates, isLast: isLast)
            phone[id]?.state = .ringingIn(ringing)
        case .connecting(var connecting):
            switch connecting.stage {
            case .preparing(var ringing):
                ringing.endpoint = ringing.endpoint?.adding(candidates, isLast: isLast)
                connecting.stage = .preparing(ringing)
                phone[id]?.state = .connecting(connecting)
            case .answering, .settingUp: tell(candidates, isLast: isLast, of: call)
            }
        case .ringingOut(.preparing(let endpoint)):
            phone[id]?.state = .ringingOut(.preparing(endpoint?.adding(candidates, isLast: isLast)))
        case .ringingOut(.dialling), .ringingOut(.dialled), .active, .onHold:
            tell(candidates, isLast: isLast, of: call)
        case .reconnecting(_, let recovery):
            // A move sends all candidates again.
            if !recovery.isMoving { tell(candidates, isLast: isLast, of: call) }
        case .idle, .disconnecting, .ended, .failed:
            return
        }
    }

    private mutating func tell(_ candidates: [String], isLast: Bool, of call: Call) {
        guard let leg = call.leg else { return }
        emit(.line(.candidates(leg, candidates, isLast: isLast)))
    }
}

extension MediaEndpoint {
    /// The most candidates that a description may have.
    private static let candidateLimit = 64

    /// This endpoint with candidates that were found since. A complete one takes no others.
    fileprivate func adding(_ candidates: [String], isLast: Bool) -> MediaEndpoint {
        guard var ice, ice.isIncomplete == true else { return self }
        ice.description.candidates = Array((ice.description.candidates + candidates).prefix(Self.candidateLimit))
        if isLast { ice.isIncomplete = nil }
        return MediaEndpoint(port: port, ice: ice, fingerprint: fingerprint, source: source)
    }
}
