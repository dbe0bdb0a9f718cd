import Base
import JSON

/// Handles answers to our requests: results, errors, and timeouts.
extension VertoSession {
    mutating func answered(_ purpose: VertoRequests.Purpose, _ result: JSONValue, at now: Instant) {
        switch purpose {
        case .login: loggedIn(result, at: now)
        case .gatewayState: gatewaySays(result, at: now)
        case .ping, .unwatched: break
        case .presence: subscribed(result)
        case .invite(let id), .answer(let id), .hold(let id, _), .dtmf(let id), .updateMedia(let id), .transfer(let id),
            .attach(let id):
            if let call = call(id) { answered(purpose, call, result, at: now) }
        }
    }

    private mutating func answered(
        _ purpose: VertoRequests.Purpose, _ call: VertoCall, _ result: JSONValue, at now: Instant
    ) {
        var call = call
        switch (purpose, call.phase) {
        case (.invite, .inviting):
            call.phase = .proceeding
            update(call)
            tell(call.id, .created)
        case (.answer, .answering):
            (call.phase, call.isConfirmed) = (.active, true)
            update(call)
            tell(call.id, .connected)
        case (.attach, .rejoining): reattached(call, at: now)
        case (.hold, _): holdAnswered(call, result, at: now)
        case (.dtmf, _): digitAnswered(call, at: now)
        case (.updateMedia, _):
            if let sdp = result.sdp { return tell(call.id, .mediaUpdated(sdp: sdp)) }
            drop(.badResult)
            tell(call.id, .mediaUpdateFailed)
        case (.transfer, _): tell(call.id, .transferred)
        // An earlier message already had the same effect.
        case (.invite, _), (.answer, _), (.attach, _): break
        case (.login, _), (.gatewayState, _), (.ping, _), (.presence, _), (.unwatched, _): break
        }
    }

    private mutating func reattached(_ call: VertoCall, at now: Instant) {
        var call = call
        let hold = call.holdToRestore
        (call.phase, call.hasDescription) = (.active, true)
        (call.isAnswered, call.isConfirmed) = (true, true)
        (call.holdToRestore, call.candidatesHeard) = (nil, 0)
        update(call)
        tell(call.id, .reattached)
        if let hold { restoreHold(call, hold, at: now) }
    }

    mutating func refused(_ purpose: VertoRequests.Purpose, _ error: VertoServerError, at now: Instant) {
        switch purpose {
        case .login: lose(credentials.refused(error.message), at: now)
        case .gatewayState, .ping:
            // A server that requests a login has lost the earlier one. Other errors show only that it is there.
            if error.code == VertoServerError.authenticationRequired { return lose(.sessionForgotten, at: now) }
            if purpose == .gatewayState { gatewaySays(nil, at: now) }
        case .presence, .unwatched: break
        case .invite(let id), .answer(let id): end(id, error.end)
        case .attach(let id): end(id, VertoEnd(.lost, cause: error.end.cause))
        case .hold(let id, _): if let call = call(id) { holdFailed(call) }
        case .dtmf(let id): if let call = call(id) { digitFailed(call) }
        case .updateMedia(let id): tell(id, .mediaUpdateFailed)
        case .transfer(let id): tell(id, .transferFailed)
        }
    }

    /// Handles a request without an answer after `VertoTiming.requestLimit`.
    mutating func timedOut(_ purpose: VertoRequests.Purpose, at now: Instant) {
        let isDead = liveness.isSilent(since: now - VertoTiming.requestLimit)
        switch purpose {
        case .login: lose(.silent, at: now)
        case .gatewayState: gatewaySays(nil, at: now)
        case .ping, .presence, .unwatched: break
        case .invite(let id): if let call = call(id), call.phase == .inviting { giveUp(call, at: now) }
        case .answer(let id): if let call = call(id), call.phase == .answering { giveUp(call, at: now) }
        // A call outlives a connection that died silently, as it outlives one that was closed.
        case .attach where isDead, .updateMedia where isDead: return lose(.silent, at: now)
        case .attach(let id):
            if let call = call(id) { hangUp(call, .recoveryOnTimerExpire, as: .lost, at: now) }
        case .hold(let id, _): if let call = call(id) { holdFailed(call) }
        case .dtmf(let id): if let call = call(id) { digitFailed(call) }
        case .updateMedia(let id): tell(id, .mediaUpdateFailed)
        case .transfer(let id): tell(id, .transferFailed)
        }
        probe(at: now)
    }

    private mutating func giveUp(_ call: VertoCall, at now: Instant) {
        hangUp(call, .recoveryOnTimerExpire, as: .noResponse, at: now)
    }
}
