import Base
import JSON

extension BackendMachine {
    private static let timeLook = Duration.seconds(5)
    /// How often a step after the confirmation is tried.
    private static let mostAttempts = 4
    /// Each `slow_down` adds this to the interval (RFC 8628 §3.5).
    private static let slowDown = Duration.seconds(5)
    private static let longestInterval = Duration.seconds(300)

    public var signInStatus: DeviceGrantStatus {
        switch signIn {
        case .none: .none
        case .waitingForTime: .waitingForTime
        case .discovering, .authorising: .starting
        case .pausing(let polling, _), .polling(let polling): .waitingForUser(code(of: polling))
        case .confirmed: .finishing
        }
    }

    private func code(of polling: DeviceGrant.Polling) -> DeviceCode {
        DeviceCode(
            userCode: polling.authorisation.userCode, address: polling.authorisation.address,
            completeAddress: polling.authorisation.completeAddress, expiresIn: max(.zero, polling.expiresAt - now))
    }

    mutating func beginSignIn(_ state: BackendState) {
        switch signIn {
        case .none: discover()
        // The person who asked again has not seen the code.
        case .pausing(let polling, _), .polling(let polling): tell(.signInCode(code(of: polling)))
        case .waitingForTime: tell(.signInWaitsForTime)
        case .discovering, .authorising, .confirmed: break
        }
    }

    private mutating func discover() {
        guard isTimeKnown else {
            if signIn == .none { tell(.signInWaitsForTime) }
            signIn = .waitingForTime(nextLook: now + Self.timeLook)
            return
        }
        signIn = .discovering
        send(
            BackendRequest(
                .get, settings.discoveryAddress, timeout: settings.times.request),
            for: .signIn)
    }

    /// Ends a sign-in without success.
    mutating func cancelSignIn(_ failure: DeviceGrantFailure) {
        switch signIn {
        case .none: return
        case .waitingForTime, .discovering, .authorising, .pausing, .polling: break
        case .confirmed(let confirmation, _): revoke(confirmation)
        }
        signIn = .none
        abandon { $0 == .signIn }
        tell(.signInFailed(failure))
    }

    mutating func advanceSignIn() {
        switch signIn {
        case .waitingForTime(let nextLook) where nextLook <= now: discover()
        case .pausing(let polling, let until) where until <= now: poll(polling)
        case .confirmed(let confirmation, .retrying(let keys, let at)) where at <= now:
            if keys { fetchKeys(confirmation) } else { register(confirmation) }
        case .none, .waitingForTime, .discovering, .authorising, .pausing, .polling, .confirmed: break
        }
    }

    /// The answer to the one open request of the sign-in.
    mutating func signInAnswered(_ answer: Answer) {
        switch signIn {
        case .none, .waitingForTime, .pausing, .confirmed(_, .verifying), .confirmed(_, .retrying): break
        case .discovering: discovered(answer)
        case .authorising(let endpoints): authorised(answer, endpoints)
        case .polling(let polling): polled(answer, polling)
        case .confirmed(let confirmation, .fetchingKeys): fetchedKeys(answer, confirmation)
        case .confirmed(let confirmation, .registering): registered(answer, confirmation)
        }
    }

    private mutating func discovered(_ answer: Answer) {
        let issuer = settings.issuer
        switch answer.read({ body throws(BackendParseFault) in try ProviderEndpoints(body, of: issuer) }) {
        case .failure(let failure): cancelSignIn(.backend(failure))
        case .success(let endpoints):
            signIn = .authorising(endpoints)
            send(
                .form(
                    endpoints.deviceAuthorisation,
                    [("client_id", settings.clientID), ("scope", settings.scopes)], timeout: settings.times.request),
                for: .signIn)
        }
    }

    private mutating func authorised(_ answer: Answer, _ endpoints: ProviderEndpoints) {
        switch answer.read(DeviceAuthorisation.init) {
        case .failure(let failure): cancelSignIn(.backend(failure))
        case .success(let authorisation):
            let polling = DeviceGrant.Polling(
                endpoints: endpoints, authorisation: authorisation, expiresAt: now + authorisation.expiresIn,
                interval: authorisation.interval)
            pause(polling, for: polling.interval)
            tell(.signInCode(code(of: polling)))
        }
    }

    // MARK: Polling

    private mutating func pause(_ polling: DeviceGrant.Polling, for pause: Duration) {
        signIn = .pausing(polling, until: min(now + pause, polling.expiresAt))
    }

    private mutating func poll(_ polling: DeviceGrant.Polling) {
        guard now < polling.expiresAt else { return cancelSignIn(.expired) }
        signIn = .polling(polling)
        let code = polling.authorisation.deviceCode
        send(
            .form(
                polling.endpoints.token,
                [
                    ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code.reveal()),
                    ("client_id", settings.clientID),
                ], timeout: settings.times.request),
            for: .signIn, secrets: [code])
    }

    private mutating func polled(_ answer: Answer, _ polling: DeviceGrant.Polling) {
        var polling = polling
        guard let failure = answer.failure else {
            switch answer.read(SignInTokens.init) {
            case .failure(let failure): cancelSignIn(.backend(failure))
            case .success(let tokens): confirmed(tokens, polling.endpoints)
            }
            return
        }
        if let response = answer.response, (400..<500).contains(response.status) {
            polling.failures = 0
            switch PollRefusal(response.body) {
            case .pending: return pause(polling, for: polling.interval)
            case .slowDown:
                polling.interval = min(polling.interval + Self.slowDown, Self.longestInterval)
                return pause(polling, for: polling.interval)
            case .denied: return cancelSignIn(.denied)
            case .expired: return cancelSignIn(.expired)
            case .other where response.status != 429 && response.status != 408:
                return cancelSignIn(.backend(failure))
            case .other: break
            }
        }
        // Without an answer the interval doubles for a while (§3.5).
        let wait = min(polling.interval * (2 << min(polling.failures, 5)), Self.longestInterval)
        polling.failures += 1
        pause(polling, for: max(wait, min(answer.retryAfter ?? .zero, Self.longestInterval)))
    }

    // MARK: After the confirmation

    private mutating func confirmed(_ tokens: SignInTokens, _ endpoints: ProviderEndpoints) {
        do throws(IDTokenFault) {
            let token = try IDToken(tokens.identity.reveal())
            let confirmation = DeviceGrant.Confirmation(endpoints: endpoints, tokens: tokens, token: token)
            try token.claims.judge(issuer: endpoints.issuer, clientID: settings.clientID, time: time)
            signIn = .confirmed(confirmation, .fetchingKeys)
            verify(confirmation)
        } catch {
            revoke(tokens, endpoints)
            signIn = .none
            tell(.signInFailed(.identity(error)))
        }
    }

    /// Looks the key up. An unknown key is fetched once.
    private mutating func verify(_ confirmation: DeviceGrant.Confirmation) {
        let (token, source) = (confirmation.token, confirmation.endpoints.keys)
        guard let keys, keys.source == source else { return fetchKeys(confirmation) }
        guard let key = keys.key(token.keyID, token.algorithm) else {
            guard !confirmation.hasFetchedKeys, now - keys.fetchedAt >= JSONWebKeySet.shortestAge else {
                return cancelSignIn(.identity(.unknownKey))
            }
            return fetchKeys(confirmation)
        }
        let id = makeID()
        signIn = .confirmed(confirmation, .verifying(id))
        effects.append(
            .verify(
                id,
                BackendSignature(
                    key: key.material, algorithm: token.algorithm, signed: token.signed, signature: token.signature)))
    }

    private mutating func fetchKeys(_ confirmation: DeviceGrant.Confirmation) {
        signIn = .confirmed(confirmation, .fetchingKeys)
        var request = BackendRequest(.get, confirmation.endpoints.keys.text, timeout: settings.times.request)
        if keys?.source == confirmation.endpoints.keys { request.etag = keys?.etag }
        send(request, for: .signIn)
    }

    private mutating func fetchedKeys(_ answer: Answer, _ confirmation: DeviceGrant.Confirmation) {
        var confirmation = confirmation
        confirmation.hasFetchedKeys = true
        if answer.status == 304, keys?.source == confirmation.endpoints.keys {
            keys?.fetchedAt = now
            return verify(confirmation)
        }
        switch answer.read(JSONWebKey.set) {
        case .failure(let failure): retry(confirmation, keys: true, failure, wish: answer.retryAfter)
        case .success(let set):
            keys = JSONWebKeySet(
                keys: set, source: confirmation.endpoints.keys, etag: answer.response?.etag, fetchedAt: now)
            verify(confirmation)
        }
    }

    mutating func verified(_ id: BackendRequestID, _ isGenuine: Bool) {
        guard case .confirmed(let confirmation, .verifying(id)) = signIn else { return }
        if isGenuine { register(confirmation) } else { cancelSignIn(.identity(.signature)) }
    }

    private mutating func register(_ confirmation: DeviceGrant.Confirmation) {
        signIn = .confirmed(confirmation, .registering)
        var members: [String: JSONValue] = [
            "device_id": .string(state?.deviceID ?? ""), "platform": "linux",
            "app_version": .string(ProgramVersion.text),
        ]
        members["device_name"] = settings.deviceName.map(JSONValue.string)
        var request = BackendRequest.json(
            settings.base.appending(settings.paths.deviceTokens), .object(members), timeout: settings.times.request)
        request.bearer = confirmation.tokens.access
        send(request, for: .signIn)
    }

    private mutating func registered(_ answer: Answer, _ confirmation: DeviceGrant.Confirmation) {
        switch answer.read(DeviceRegistration.init) {
        case .failure(let failure): retry(confirmation, keys: false, failure, wish: answer.retryAfter)
        case .success(let device):
            let identity = confirmation.token.claims.person
            guard device.person?.subject ?? identity.subject == identity.subject else {
                return cancelSignIn(.backend(.parse(BackendParseFault("user.sub", .mismatch))))
            }
            finishSignIn(device, identity.completed(by: device.person).completed(by: registration?.person))
            revoke(confirmation)
        }
    }

    /// Tries a step again if the failure may pass: the user has confirmed, and need not do so again.
    private mutating func retry(
        _ confirmation: DeviceGrant.Confirmation, keys: Bool, _ failure: BackendFailure, wish: Duration?
    ) {
        var confirmation = confirmation
        confirmation.failures += 1
        guard failure.mayPass, confirmation.failures < Self.mostAttempts else {
            return cancelSignIn(.backend(failure))
        }
        let pause = pause(after: confirmation.failures - 1, from: .seconds(2), to: .seconds(30), wish: wish)
        signIn = .confirmed(confirmation, .retrying(keys: keys, at: now + pause))
    }

    private mutating func finishSignIn(_ device: DeviceRegistration, _ person: BackendPerson) {
        signIn = .none
        statistics.signIns += 1
        abandonCalls()
        abandon { $0 == .access }
        access = AccessToken(renewAt: now)
        listETag = nil
        upkeep = Upkeep(jitter: jitter(), notBefore: now + Upkeep.shortestAge)
        let former = registration
        var new = BackendRegistration(
            backend: settings.base.authority, id: device.id, deviceToken: device.deviceToken, person: person,
            current: device.organisation)
        if former?.person.subject == person.subject { new.organisations = former?.organisations ?? [] }
        new.push = device.push
        new.pushRegisteredAt = device.push == nil ? nil : max(0, time)
        registration = new
        note(device.credentials, isNew: false)
        keep()
        tell(
            .signedIn(
                BackendSignIn(
                    person: person, organisation: device.organisation, credentials: device.credentials,
                    push: device.push)))
        start(.organisations)
    }

    // MARK: Tokens that are not needed any more

    private mutating func revoke(_ confirmation: DeviceGrant.Confirmation) {
        revoke(confirmation.tokens, confirmation.endpoints)
    }

    private mutating func revoke(_ tokens: SignInTokens, _ endpoints: ProviderEndpoints) {
        guard let endpoint = endpoints.revocation else { return }
        let isIdle = revocations.isEmpty
        if let refresh = tokens.refresh {
            revocations.append(Revocation(endpoint: endpoint, token: refresh, hint: "refresh_token"))
        }
        revocations.append(Revocation(endpoint: endpoint, token: tokens.access, hint: "access_token"))
        // The oldest ones give way. The first one is under way.
        while revocations.count > 6 { revocations.remove(at: 1) }
        if isIdle { revokeNext() }
    }

    private mutating func revokeNext() {
        guard let next = revocations.first else { return }
        send(
            .form(
                next.endpoint,
                [("token", next.token.reveal()), ("token_type_hint", next.hint), ("client_id", settings.clientID)],
                timeout: settings.times.request),
            for: .revocation, secrets: [next.token])
    }

    /// Once is enough: the tokens end soon by themselves.
    mutating func revocationAnswered() {
        if !revocations.isEmpty { revocations.removeFirst() }
        revokeNext()
    }
}
