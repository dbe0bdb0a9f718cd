import Base
import SIPCore

/// One INVITE and the phones that were called for it.
struct ForkedCall: Sendable {
    struct Branch: Sendable {
        let client: ClientTransactionID
        let number: String
        var isOver = false
    }

    let callID: String
    let request: SIPRequest
    let at: Instant
    var branches: [Branch] = []
    /// The refusal for the caller if no phone answers: the most final one.
    var best: SIPResponse?
    var isForked = false
    var isAnswered = false
    /// The caller has a final response.
    var isSettled = false

    init(callID: String, request: SIPRequest, at instant: Instant) {
        (self.callID, self.request, at) = (callID, request, instant)
    }
}

/// RFC 3261 §16, for one hop and one server.
extension Proxy {
    /// Calls the phones.
    mutating func fork(_ id: ServerTransactionID, to targets: [String], at now: Instant) -> [Output] {
        guard var call = calls[id], !call.isForked, !call.isSettled else { return [] }
        call.isForked = true
        calls[id] = call
        for number in targets {
            guard let endpoint = bindings[number] else { continue }
            var request = call.request
            request.uri = .sip(SIPURI(user: number, host: endpoint.host, port: endpoint.port))
            request.headers[.proxyAuthorization] = nil
            if namesCalls { request.headers[Self.callName] = call.callID }
            var route = SIPURI(host: Self.endpoint.host, port: Self.endpoint.port)
            route.parameters.setFlag("lr")
            request.headers.prepend(.recordRoute, NameAddress(.sip(route)))
            guard let (client, effects) = send(request, to: endpoint, at: now) else { continue }
            calls[id]?.branches.append(.init(client: client, number: number))
            owners[client] = .branch(of: id)
            outputs.append(.told(.rang(callID: call.callID, number: number)))
            take(effects, at: now)
        }
        concludeIfDone(id, at: now)
        return takeOutputs()
    }

    /// A gateway's first offer of a call, whose media no phone accepts. The call itself follows by `fork`, as from
    /// gateways that fall back to another offer.
    mutating func misoffer(_ id: ServerTransactionID, to targets: [String], at now: Instant) -> [Output] {
        guard let call = calls[id], !call.isForked, !call.isSettled else { return [] }
        for number in targets {
            guard let endpoint = bindings[number] else { continue }
            var request = call.request
            request.uri = .sip(SIPURI(user: number, host: endpoint.host, port: endpoint.port))
            request.headers[.proxyAuthorization] = nil
            request.headers[.callID] = "first-" + call.callID
            let offer = String(decoding: request.body, as: UTF8.self)
            request.body = Array(offer.replacing("m=audio", with: "m=image").utf8)
            guard let (_, effects) = send(request, to: endpoint, at: now) else { continue }
            take(effects, at: now)
        }
        return takeOutputs()
    }

    /// No phone will be called: the caller's response.
    mutating func refuse(_ id: ServerTransactionID, _ status: SIPStatus, at now: Instant) -> [Output] {
        guard let call = calls[id], !call.isForked, !call.isSettled else { return [] }
        settle(id, call.request.response(status, tag: "server"), .rejected(status.code), at: now)
        return takeOutputs()
    }

    mutating func take(_ response: SIPResponse, of client: ClientTransactionID, at now: Instant) {
        switch owners[client] {
        case nil: return
        case .relayed(let id, let request, _):
            take(layer.respond(response.returned(to: request), to: id, at: now), at: now)
        case .branch(let id):
            guard let call = calls[id], let branch = call.branches.firstIndex(where: { $0.client == client }) else {
                return
            }
            if response.status.isProvisional {
                guard response.status != .trying, !call.isSettled else { return }
                take(layer.respond(response.returned(to: call.request), to: id, at: now), at: now)
            } else if response.status.isSuccess {
                answered(id, branch, response, at: now)
            } else {
                rejected(id, branch, response, at: now)
            }
        }
    }

    /// Every 2xx reaches the caller, which hangs up all but the first (RFC 3261 §16.7 step 10).
    private mutating func answered(
        _ id: ServerTransactionID, _ index: Int, _ response: SIPResponse, at now: Instant
    ) {
        guard var call = calls[id] else { return }
        call.branches[index].isOver = true
        let isFirst = !call.isAnswered
        call.isAnswered = true
        call.isSettled = true
        calls[id] = call
        if isFirst { outputs.append(.told(.answered(callID: call.callID, number: call.branches[index].number))) }
        take(layer.respond(response.returned(to: call.request), to: id, at: now), at: now)
        if isFirst { cancelBranches(id, because: Reason(cause: 200, text: "Call completed elsewhere"), at: now) }
    }

    private mutating func rejected(
        _ id: ServerTransactionID, _ index: Int, _ response: SIPResponse, at now: Instant
    ) {
        guard var call = calls[id], !call.branches[index].isOver else { return }
        call.branches[index].isOver = true
        if call.best.map({ Self.rank(response.status) < Self.rank($0.status) }) ?? true { call.best = response }
        calls[id] = call
        // A refusal for the whole address stops the other forks too.
        if response.status.code >= 600 {
            outputs.append(.told(.over(callID: call.callID, .rejected(response.status.code))))
            cancelBranches(id, because: nil, at: now)
        }
        concludeIfDone(id, at: now)
    }

    /// The most final one comes first: 6xx, then the lowest class.
    private static func rank(_ status: SIPStatus) -> Int {
        status.code >= 600 ? 0 : status.code == 487 ? 6_999 : status.code
    }

    mutating func unanswered(_ client: ClientTransactionID, at now: Instant) {
        guard let owner = owners.removeValue(forKey: client) else { return }
        switch owner {
        case .relayed(let id, let request, _): answer(request, .requestTimeout, id, at: now)
        case .branch(let id):
            guard let call = calls[id], let index = call.branches.firstIndex(where: { $0.client == client }) else {
                return
            }
            rejected(id, index, call.request.response(.requestTimeout, tag: "server"), at: now)
        }
    }

    mutating func cancelled(_ id: ServerTransactionID, by cancel: SIPRequest, at now: Instant) {
        guard let call = calls[id], !call.isSettled else { return }
        let reason = ((try? cancel.headers.reasons) ?? []).first
        if call.isForked {
            cancelBranches(id, because: reason, at: now)
            outputs.append(.told(.over(callID: call.callID, .cancelled)))
        } else {
            settle(id, call.request.response(.requestTerminated, tag: "server"), .cancelled, at: now)
        }
    }

    private mutating func cancelBranches(_ id: ServerTransactionID, because reason: Reason?, at now: Instant) {
        for branch in calls[id]?.branches ?? [] where !branch.isOver {
            take(layer.cancel(branch.client, because: reason, at: now), at: now)
        }
    }

    private mutating func concludeIfDone(_ id: ServerTransactionID, at now: Instant) {
        guard let call = calls[id], !call.isSettled, call.branches.allSatisfy(\.isOver) else { return }
        let response = call.best ?? call.request.response(.temporarilyUnavailable, tag: "server")
        settle(id, response.returned(to: call.request), .rejected(response.status.code), at: now)
    }

    private mutating func settle(
        _ id: ServerTransactionID, _ response: SIPResponse, _ outcome: Outcome, at now: Instant
    ) {
        guard let call = calls[id] else { return }
        calls[id]?.isSettled = true
        outputs.append(.told(.over(callID: call.callID, outcome)))
        take(layer.respond(response, to: id, at: now), at: now)
    }

    /// Entries to which no message can belong any more.
    mutating func forget(before now: Instant) {
        let old = now - .seconds(180)
        for (id, call) in calls where call.at < old {
            calls[id] = nil
            for branch in call.branches { owners[branch.client] = nil }
        }
        owners = owners.filter { owner in
            guard case .relayed(_, _, let at) = owner.value else { return true }
            return at >= old
        }
    }
}

extension SIPResponse {
    /// This response on its way back to the sender of the request.
    fileprivate func returned(to request: SIPRequest) -> SIPResponse {
        var response = self
        response.headers[.via] = nil
        var vias = SIPHeaders()
        vias.copy(.via, from: request.headers)
        for field in vias.fields.reversed() {
            guard let via = try? Via(field.value) else { continue }
            response.headers.prepend(.via, via)
        }
        return response
    }
}
