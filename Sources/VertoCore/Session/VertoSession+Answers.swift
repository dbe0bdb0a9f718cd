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

/// The requests that the server has not answered.
struct VertoRequests: Sendable {
    enum Purpose: Equatable, Sendable {
        case login, gatewayState
        /// `VertoLiveness` accepts any frame as the answer.
        case ping
        case invite(VertoCallID)
        case answer(VertoCallID)
        case hold(VertoCallID, Bool)
        case dtmf(VertoCallID)
        case updateMedia(VertoCallID)
        case transfer(VertoCallID)
        case attach(VertoCallID)
        /// Subscribes to the channels of watched users.
        case presence
        /// Nobody waits for the answer, but it is recognised when it comes.
        case unwatched

        var call: VertoCallID? {
            switch self {
            case .invite(let id), .answer(let id), .hold(let id, _), .dtmf(let id), .updateMedia(let id),
                .transfer(let id), .attach(let id):
                id
            case .login, .gatewayState, .ping, .presence, .unwatched: nil
            }
        }
    }

    private struct Entry: Sendable {
        let id: String
        let purpose: Purpose
        /// Nil if nobody waits for the answer.
        let due: Instant?
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var deadline: Instant? { entries.lazy.compactMap(\.due).min() }

    func contains(where matches: (Purpose) -> Bool) -> Bool { entries.contains { matches($0.purpose) } }

    func first(where matches: (Purpose) -> Bool) -> Purpose? { entries.first { matches($0.purpose) }?.purpose }

    /// Stores a request. If too many of those without a waiting user are stored, the oldest of them is forgotten.
    mutating func add(_ id: String, _ purpose: Purpose, at now: Instant) {
        if purpose == .unwatched {
            let places = entries.indices.filter { entries[$0].purpose == .unwatched }
            if places.count >= VertoLimits.unwatchedRequests { entries.remove(at: places[0]) }
        }
        if purpose == .ping { entries.removeAll { $0.purpose == .ping } }
        let due = purpose == .unwatched || purpose == .ping ? nil : now + VertoTiming.requestLimit
        entries.append(Entry(id: id, purpose: purpose, due: due))
    }

    /// Removes the request that the answer with this id belongs to.
    mutating func take(_ id: String) -> Purpose? {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: place).purpose
    }

    /// Removes a request whose answer is overdue. Call it until it returns nil.
    mutating func popExpired(at now: Instant) -> Purpose? {
        guard let place = entries.firstIndex(where: { $0.due.map { $0 <= now } ?? false }) else { return nil }
        return entries.remove(at: place).purpose
    }

    /// Stops waiting for these answers. They are still recognised when they come.
    mutating func forget(where matches: (Purpose) -> Bool) {
        entries = entries.map { entry in
            matches(entry.purpose) ? Entry(id: entry.id, purpose: .unwatched, due: nil) : entry
        }
        let excess = entries.count { $0.purpose == .unwatched } - VertoLimits.unwatchedRequests
        for _ in 0..<max(0, excess) {
            guard let place = entries.firstIndex(where: { $0.purpose == .unwatched }) else { return }
            entries.remove(at: place)
        }
    }

    mutating func removeAll() { entries = [] }
}
