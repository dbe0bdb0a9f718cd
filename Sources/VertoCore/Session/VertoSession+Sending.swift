import Base
import JSON

/// Sends frames.
extension VertoSession {
    /// Whether the server has accepted the login on the connection that is open.
    var isLoggedIn: Bool {
        switch phase {
        case .registering, .ready: true
        case .off, .waiting, .opening, .authenticating: false
        }
    }

    mutating func request(
        _ method: VertoMethod, _ params: [String: JSONValue], _ purpose: VertoRequests.Purpose,
        beside members: [String: JSONValue] = [:], at now: Instant
    ) {
        let id = String.randomUUID(using: &generator)
        requests.add(id, purpose, at: now)
        var frame = members
        frame["jsonrpc"] = "2.0"
        frame["id"] = .string(id)
        frame["method"] = .string(method.name(in: dialect))
        frame["params"] = .object(params)
        send(VertoFrame(frame))
    }

    /// Sends a request about a call.
    mutating func request(
        _ method: VertoMethod, of id: VertoCallID, _ params: [String: JSONValue] = [:],
        dialog: [String: JSONValue] = [:], _ purpose: VertoRequests.Purpose = .unwatched, at now: Instant
    ) {
        var (params, dialog) = (params, dialog)
        dialog["callID"] = .string(id.rawValue)
        params["sessid"] = .string(sessionID)
        params["dialogParams"] = .object(dialog)
        request(method, params, purpose, at: now)
    }

    /// Acknowledges a request, known or not. The answer only confirms that it arrived.
    mutating func acknowledge(_ id: VertoRequestID?, _ method: String) {
        guard let id else { return }
        send(VertoFrame(["jsonrpc": "2.0", "id": id.json, "result": ["method": .string(method)]]))
    }

    mutating func sayBye(_ id: VertoCallID, _ cause: VertoCause, at now: Instant) {
        request(.bye, of: id, ["cause": .string(cause.name), "causeCode": .integer(Int64(cause.code))], at: now)
    }

    mutating func send(_ frame: VertoFrame) {
        census.framesSent += 1
        effects.append(.send(frame))
    }

    mutating func drop(_ reason: VertoDrop) { census[reason] += 1 }

    // MARK: Liveness

    mutating func keepAlive(at now: Instant) {
        guard liveness.deadline(hasCalls: !calls.isEmpty) <= now else { return }
        if liveness.isProbing { lose(.silent, at: now) } else { probe(at: now) }
    }

    mutating func probe(at now: Instant) {
        guard case .ready = phase, !liveness.isProbing else { return }
        liveness.probe(at: now)
        var members: [String: JSONValue] = [:]
        if dialect.hasInstances, let voiceID { members["voice_sdk_id"] = .string(voiceID) }
        request(.ping, [:], .ping, beside: members, at: now)
    }
}

/// Finds out whether the server is still there.
struct VertoLiveness: Sendable {
    /// When the last frame arrived, and the last one that showed that our frames arrive.
    private var heardAt = Instant.zero
    private var confirmedAt = Instant.zero
    /// When a probe times out. Nil: no probe is outstanding.
    private var probeEnds: Instant?

    mutating func start(at now: Instant) { (heardAt, confirmedAt, probeEnds) = (now, now, nil) }

    /// Records a frame from the server. Any frame after a probe counts as its answer, because a server may not answer
    /// pings.
    mutating func heard(at now: Instant) {
        if probeEnds != nil { confirmedAt = now }
        (heardAt, probeEnds) = (now, nil)
    }

    mutating func confirmed(at now: Instant) { confirmedAt = now }

    mutating func probe(at now: Instant) { probeEnds = now + VertoTiming.probeLimit }

    var isProbing: Bool { probeEnds != nil }

    /// Whether the server has sent nothing after `instant`.
    func isSilent(since instant: Instant) -> Bool { heardAt <= instant }

    /// When the next probe is due, or the outstanding one times out.
    func deadline(hasCalls: Bool) -> Instant {
        if let probeEnds { return probeEnds }
        guard hasCalls else { return heardAt + VertoTiming.idleSilence }
        return min(heardAt + VertoTiming.callSilence, confirmedAt + VertoTiming.confirmation)
    }
}
