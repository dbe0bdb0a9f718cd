import Base
import JSON

/// A request that needs an access token, from its start to its result.
struct PendingCall: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case organisations
        /// - Parameter asked: The identifier as the phone gave it.
        case switchOrganisation(BackendOrganisationID, asked: String)
        /// Tells the backend which organisation the phone works for, after a switch that the phone undid.
        case realign(BackendOrganisationID)
        case credentials
        case push
        case voidPush(id: String, reason: String)
        case deletion(id: String)
    }

    let kind: Kind
    let due: Instant
    /// The token that the open request shows.
    var token: Redacted<String>?
    /// Nil: it waits for an access token.
    var request: BackendRequestID?
    /// Whether a 401 has renewed the token.
    var hasRenewed = false
}

extension BackendMachine {
    /// Starts a call. One of the same kind that is under way serves both.
    mutating func start(_ kind: PendingCall.Kind, within limit: Duration? = nil) {
        guard !calls.contains(where: { $0.kind == kind }) else { return }
        calls.append(PendingCall(kind: kind, due: now + (limit ?? settings.times.call)))
        guard let registration, !isForeign, !registration.isEnding || kind == .deletion(id: registration.id) else {
            return give(up: kind, .signInNeeded)
        }
        proceed(kind)
    }

    /// Sends a call, or lets it wait for an access token.
    mutating func proceed(_ kind: PendingCall.Kind) {
        guard let place = calls.firstIndex(where: { $0.kind == kind }) else { return }
        guard calls[place].due > now else { return give(up: kind, .timeout) }
        guard let token = access.usable(at: now) else { return renewAccess() }
        var request = request(for: kind)
        request.bearer = token
        request.timeout = min(settings.times.request, calls[place].due - now)
        calls[place].token = token
        calls[place].request = send(request, for: .call(kind))
    }

    private func request(for kind: PendingCall.Kind) -> BackendRequest {
        let (base, paths, limit) = (settings.base, settings.paths, settings.times.request)
        switch kind {
        case .organisations:
            var request = BackendRequest(.get, base.appending(paths.organisations), timeout: limit)
            request.etag = listETag
            return request
        case .switchOrganisation(let target, _), .realign(let target):
            var request = BackendRequest.json(
                base.appending(paths.switchOrganisation), ["target_organization_id": target.json], timeout: limit)
            request.isRepeatable = true
            return request
        case .credentials: return BackendRequest(.post, base.appending(paths.credentials), timeout: limit)
        case .push: return BackendRequest(.post, base.appending(paths.pushRegistrations), timeout: limit)
        case .voidPush(let id, let reason):
            return .json(
                base.appending(paths.pushRegistrations + "/" + id.percentEncoded + "/void"),
                ["reason": .string(reason)], timeout: limit)
        case .deletion(let id):
            return BackendRequest(
                .delete, base.appending(paths.deviceTokens + "/" + id.percentEncoded), timeout: limit)
        }
    }

    mutating func callAnswered(_ kind: PendingCall.Kind, _ answer: Answer) {
        guard let place = calls.firstIndex(where: { $0.kind == kind }) else { return }
        let call = calls[place]
        if answer.status == 401 {
            // Another request may have replaced the token.
            if access.held?.token == call.token { access.held = nil }
            guard call.hasRenewed else {
                (calls[place].request, calls[place].hasRenewed) = (nil, true)
                return proceed(kind)
            }
            needSignIn(.accessTokenRefused)
        }
        calls.remove(at: place)
        finish(kind, answer)
    }

    /// Ends a call without an answer.
    mutating func give(up kind: PendingCall.Kind, _ failure: BackendFailure) {
        guard calls.contains(where: { $0.kind == kind }) else { return }
        abandon { $0 == .call(kind) }
        calls.removeAll { $0.kind == kind }
        count(failure)
        finish(kind, Answer(.failure(failure), without: []))
    }

    mutating func abandonCalls() {
        for call in calls { give(up: call.kind, .abandoned) }
    }

    private mutating func finish(_ kind: PendingCall.Kind, _ answer: Answer) {
        switch kind {
        case .organisations: listed(answer)
        case .switchOrganisation(let target, let asked): switched(answer, to: target, asked: asked)
        case .realign(let target): realigned(answer, to: target)
        case .credentials: credentialsAnswered(answer)
        case .push: pushAnswered(answer)
        case .voidPush(let id, _): voided(answer, id: id)
        case .deletion: finishSignOut(answer)
        }
    }

    // MARK: Organisations

    private mutating func listed(_ answer: Answer) {
        guard let registration else { return tell(.organisationsFailed(answer.failure ?? .abandoned)) }
        if answer.status == 304, listETag != nil {
            return tell(.organisations(registration.organisations, current: registration.current))
        }
        switch answer.read(BackendOrganisation.list) {
        case .failure(let failure): tell(.organisationsFailed(failure))
        case .success(let list):
            listETag = answer.response?.etag
            self.registration?.organisations = list
            // The name of the current one may have changed.
            if let current = list.first(where: { $0.id == registration.current.id }) {
                self.registration?.current = current
            }
            if self.registration != registration { keep() }
            tell(.organisations(list, current: self.registration?.current ?? registration.current))
        }
    }

    /// - Parameter target: An identifier as a text. The list says whether it is a number; without it, digits are one.
    mutating func switchOrganisation(to asked: String) {
        guard Self.isIdentifier(asked) else {
            count(.noOrganisation)
            return failSwitch(.noOrganisation, asked)
        }
        let target = identifier(asked)
        // A caller waits for the newest one only.
        for call in calls {
            if case .switchOrganisation(let other, _) = call.kind, other != target { give(up: call.kind, .abandoned) }
        }
        give(up: .realign(registration?.current.id ?? target), .abandoned)
        start(.switchOrganisation(target, asked: asked), within: settings.times.switchOrganisation)
    }

    private static func isIdentifier(_ text: String) -> Bool {
        (1...BackendLimits.idBytes).contains(text.utf8.count) && text.shown(bytes: BackendLimits.idBytes) == text
    }

    private func identifier(_ text: String) -> BackendOrganisationID {
        let known = (registration?.organisations ?? []) + (registration.map { [$0.current] } ?? [])
        if let organisation = known.first(where: { $0.id.description == text }) { return organisation.id }
        if let number = Int64(text), String(number) == text { return .number(number) }
        return .text(text)
    }

    private mutating func failSwitch(_ failure: BackendFailure, _ asked: String) {
        statistics.failedSwitches += 1
        tell(.switchFailed(failure, target: asked))
    }

    private mutating func switched(_ answer: Answer, to target: BackendOrganisationID, asked: String) {
        switch credentials(answer, of: target) {
        case .failure(let failure): failSwitch(failure, asked)
        case .success(let credentials):
            statistics.switches += 1
            registration?.current = credentials.organisation
            noteUnkept(credentials, isNew: false)
            keep()
            tell(.switched(credentials, target: asked))
        }
    }

    /// Credentials of another organisation are not accepted. Some backends answer a number with a text.
    func credentials(
        _ answer: Answer, of target: BackendOrganisationID
    ) -> Result<BackendCredentials, BackendFailure> {
        answer.read { body throws(BackendParseFault) in
            var credentials = try BackendCredentials(body)
            guard credentials.organisation.id.description == target.description else {
                throw BackendParseFault("organization_id", .mismatch)
            }
            credentials.organisation.id = target
            return credentials
        }
    }

    /// The phone works for the former organisation again. The backend has to know.
    mutating func rollBack(to former: String) {
        // A switch that is under way may still reach the backend.
        let asked = calls.map(\.kind).filter { if case .switchOrganisation = $0 { true } else { false } }
        for kind in asked { give(up: kind, .abandoned) }
        guard let registration, Self.isIdentifier(former),
            !asked.isEmpty || registration.current.id.description != former
        else { return }
        let organisation =
            registration.organisations.first { $0.id.description == former }
            ?? BackendOrganisation(id: identifier(former), name: former)
        self.registration?.current = organisation
        if let times = upkeep.former.take() { self.registration?.credentialTimes = times }
        keep()
        start(.realign(organisation.id))
    }

    private mutating func realigned(_ answer: Answer, to target: BackendOrganisationID) {
        guard target == registration?.current.id, case .success = credentials(answer, of: target) else { return }
        upkeep.isAligned = true
    }
}
