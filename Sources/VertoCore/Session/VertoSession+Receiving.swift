import Base
import JSON

/// Receives frames. Each goes to the part that handles it, or is dropped with a reason.
extension VertoSession {
    mutating func receive(_ frame: String, at now: Instant) {
        census.framesHeard += 1
        liveness.heard(at: now)
        do throws(VertoDrop) {
            let json = try VertoServerMessage.json(frame)
            noteInstance(json)
            switch try VertoServerMessage(json) {
            case .request(let id, let method, let params):
                guard isLoggedIn else { throw .notLoggedIn }
                take(method, id, params, frame, at: now)
            case .result(let id, let result):
                guard let purpose = try purpose(of: id, result, at: now) else { return }
                answered(purpose, result, at: now)
            case .failure(let id, let error):
                guard let purpose = try purpose(of: id, nil, at: now) else { return }
                refused(purpose, error, at: now)
            }
        } catch {
            drop(error)
        }
    }

    /// Remembers the last instance that a frame named, to come back to it.
    private mutating func noteInstance(_ json: JSONValue) {
        guard let name = json["voice_sdk_id"]?.string, !name.isEmpty, name.utf8.count <= VertoLimits.voiceIDBytes
        else { return }
        voiceID = name
    }

    /// - Returns: Nil for a mere echo of a ping, which has the server's own id.
    private mutating func purpose(
        of id: VertoRequestID, _ result: JSONValue, at now: Instant
    ) throws(VertoDrop) -> VertoRequests.Purpose? {
        if case .string(let own) = id.json, let purpose = requests.take(own) {
            liveness.confirmed(at: now)
            return purpose
        }
        guard result["message"] == "PONG" else { throw .unknownID }
        return nil
    }

    private mutating func take(
        _ name: String, _ id: VertoRequestID?, _ params: JSONValue, _ frame: String, at now: Instant
    ) {
        guard let method = VertoMethod(name, in: dialect) else {
            drop(.unknownMethod)
            return acknowledge(id, name)
        }
        // A ping is answered below, and a dropped session answers nothing.
        if method != .ping, method != .punt { acknowledge(id, name) }
        switch method {
        case .ping: if case .ready = phase { send(VertoFrame(echo: frame)) }
        case .punt: punted(at: now)
        case .clientReady: clientReady(params, at: now)
        case .gatewayState: gatewaySays(params, at: now)
        case .invite, .ringing, .media, .answer, .display, .bye, .candidate, .endOfCandidates, .attach:
            guard let call = params.callID else { return drop(.noCallID) }
            take(method, of: call, params, at: now)
        case .info: informed(params)
        case .prompt: prompted(params)
        case .event: happened(params)
        case .subscribe, .unsubscribe, .broadcast, .mediaParams, .announce: break
        case .login, .modify: drop(.unknownMethod)
        }
    }

    private mutating func take(_ method: VertoMethod, of id: VertoCallID, _ params: JSONValue, at now: Instant) {
        switch (method, call(id)) {
        case (.invite, nil): invited(id, params, at: now)
        case (.invite, let call?): invitedAgain(call, params)
        case (.attach, nil): attachedUnknown(id, at: now)
        case (.attach, let call?): attached(call, params, at: now)
        case (.ringing, let call?): rings(call, params)
        case (.media, let call?): earlyMedia(call, params)
        case (.answer, let call?): answeredByFarEnd(call, params, at: now)
        case (.display, let call?): tell(call.id, .display(params.party("display_name", "display_number")))
        case (.bye, let call?): hungUpByFarEnd(call, params)
        case (.candidate, let call?): heardCandidate(of: call, params)
        case (.endOfCandidates, let call?): heardEndOfCandidates(of: call)
        case (_, nil): drop(past.entry(of: id, at: now) == nil ? .unknownCall : .endedCall)
        case (_, _?): drop(.unknownMethod)
        }
    }
}
