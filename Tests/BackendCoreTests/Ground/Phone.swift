import BackendCore
import Base
import JSON
import Testing

/// A phone's side of the backend in simulated time. The test is the backend.
struct Phone {
    static let start: Int64 = 1_800_000_000
    static let base = "https://backend.example"
    static let deviceToken = "device-token-of-the-phone"
    static let access = "access-token-1"

    struct Missing: Error, CustomStringConvertible { let description: String }

    var machine: BackendMachine
    var now = Instant(nanoseconds: 5_000_000_000)
    /// By how much this machine's clock is wrong, in seconds.
    var clockError: Int64 = 0
    /// Everything since the last `clear()`.
    var effects: [BackendMachine.Effect] = []
    /// Requests that are neither answered nor cancelled.
    var open: [(id: BackendRequestID, request: BackendRequest)] = []
    var kept: BackendState?
    /// How often each path was asked.
    var asked: [String: Int] = [:]
    var mostOpen = 0

    init(seed: UInt64 = 1, _ change: (inout BackendSettings) -> Void = { _ in }) throws {
        var settings = BackendSettings(base: try BackendURL(Self.base))
        change(&settings)
        machine = BackendMachine(settings, seed: seed)
    }

    var time: Int64 { Self.start + now.nanoseconds / 1_000_000_000 - 5 + clockError }

    var notices: [BackendNotice] {
        effects.compactMap { if case .tell(let notice) = $0 { notice } else { nil } }
    }

    mutating func clear() { effects = [] }

    mutating func post(_ event: BackendMachine.Event) {
        for effect in machine.handle(event, at: now, time: time) {
            effects.append(effect)
            switch effect {
            case .send(let id, let request):
                open.append((id, request))
                asked[Self.path(request), default: 0] += 1
            case .cancel(let id): open.removeAll { $0.id == id }
            case .keep(let state): kept = state
            case .verify, .wipe, .tell: break
            }
        }
        mostOpen = max(mostOpen, open.count)
    }

    static func path(_ request: BackendRequest) -> String { String(request.url.dropFirst(base.count)) }

    /// Runs the deadlines of this time.
    mutating func run(for duration: Duration) {
        let end = now + duration
        while let due = machine.deadline, due <= end {
            now = max(now, due)
            post(.deadline)
        }
        now = end
    }

    /// The open request at a path.
    func request(_ path: String) throws -> BackendRequest {
        guard let found = open.first(where: { Self.path($0.request) == path }) else {
            throw Missing(description: "no request at \(path), but \(open.map { Self.path($0.request) })")
        }
        return found.request
    }

    private mutating func take(_ path: String) throws -> BackendRequestID {
        _ = try request(path)
        let place = try #require(open.firstIndex { Self.path($0.request) == path })
        return open.remove(at: place).id
    }

    mutating func answer(
        _ path: String, _ status: Int = 200, _ body: JSONValue = .null, etag: String? = nil, retryAfter: Duration? = nil
    ) throws {
        try answer(path, status, bytes: body == .null ? [] : body.utf8, etag: etag, retryAfter: retryAfter)
    }

    mutating func answer(
        _ path: String, _ status: Int, bytes: [UInt8], etag: String? = nil, retryAfter: Duration? = nil
    ) throws {
        let id = try take(path)
        post(.answered(id, BackendResponse(status: status, body: bytes, etag: etag, retryAfter: retryAfter)))
    }

    mutating func fail(_ path: String, _ failure: BackendTransportFailure = .network("no route to host")) throws {
        post(.failed(try take(path), failure))
    }

    /// Answers the open verification.
    mutating func verify(_ isGenuine: Bool = true) throws {
        let last = effects.last { if case .verify = $0 { true } else { false } }
        guard case .verify(let id, _) = last else { throw Missing(description: "no verification") }
        post(.verified(id, isGenuine))
    }

    func isOpen(_ path: String) -> Bool { open.contains { Self.path($0.request) == path } }
}

// MARK: Texts of the backend

extension Phone {
    static let discovery = "/.well-known/openid-configuration"
    static let authorise = "/oauth/device_authorization"
    static let token = "/oauth/token"
    static let jwks = "/oauth/jwks"
    static let revoke = "/oauth/revoke"
    static let devices = "/api/device-tokens"
    static let accessPath = "/api/token"
    static let organisations = "/api/organizations"
    static let switching = "/api/voip/switch-org"
    static let credentials = "/api/voip-credentials"
    static let pushes = "/api/push-registrations"

    static let provider: JSONValue = [
        "issuer": .string(base), "device_authorization_endpoint": .string(base + authorise),
        "token_endpoint": .string(base + token), "jwks_uri": .string(base + jwks),
        "revocation_endpoint": .string(base + revoke),
    ]

    static func code(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
        JSONValue.object([
            "device_code": "device-code-1", "user_code": "WDJB-MJHT", "verification_uri": .string(base + "/device"),
            "verification_uri_complete": .string(base + "/device?user_code=WDJB-MJHT"), "expires_in": 600,
            "interval": 5,
        ]).with(changes)
    }

    static func claims(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
        JSONValue.object([
            "iss": .string(base), "aud": "offhook", "sub": "sub-1-ada", "name": "Ada Lovelace",
            "email": "ada@example.org", "iat": .integer(start), "exp": .integer(start + 3_600),
        ]).with(changes)
    }

    static func idToken(_ claims: JSONValue = claims(), header: JSONValue = ["alg": "RS256", "kid": "key-1"]) -> String
    {
        [header.utf8, claims.utf8, Array("signature".utf8)].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    static func tokens(_ idToken: String = idToken()) -> JSONValue {
        [
            "token_type": "Bearer", "access_token": "sign-in-access", "refresh_token": "sign-in-refresh",
            "expires_in": 3_600, "id_token": .string(idToken),
        ]
    }

    static func key(_ id: String = "key-1", _ changes: [String: JSONValue?] = [:]) -> JSONValue {
        JSONValue.object([
            "kty": "RSA", "kid": .string(id), "use": "sig", "alg": "RS256", "e": "AQAB",
            "n": .string(Base64URL.encode([UInt8](repeating: 0xC5, count: 256))),
        ]).with(changes)
    }

    static func account(_ id: JSONValue = 17, _ changes: [String: JSONValue?] = [:]) -> JSONValue {
        JSONValue.object([
            "kind": "sip", "sip_username": "ada-17", "sip_password": "secret-ada-17", "sip_server": "sip.example.org",
            "sip_transport": "tls", "caller_id_name": "Ada Lovelace", "caller_id_number": "+442079460017",
            "organization_id": id, "organization_name": "Analytical Engines",
            "organization_slug": "analytical-engines", "issued_at": "2027-01-15T08:00:00Z",
        ]).with(changes)
    }

    static func push(_ id: String = "push-1", _ changes: [String: JSONValue?] = [:]) -> JSONValue {
        JSONValue.object([
            "id": .string(id), "push_token": .string("mqtt-" + id), "created_at": "2027-01-15T08:00:00Z",
            "renew_after": 604_800, "host": "broker.example", "port": 8_883, "topic": "phones/dt-3/caller-info",
            "presence_topic": "phones/dt-3/presence", "client_id": "dt-3", "username": "dt-3",
            "password": "mqtt-secret",
        ]).with(changes)
    }

    static func device(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
        JSONValue.object([
            "id": "dt-3", "device_token": .string(deviceToken), "organization_id": 17,
            "organization_name": "Analytical Engines", "organization_slug": "analytical-engines",
            "user": ["sub": "sub-1-ada", "name": "Ada Lovelace", "email": "ada@example.org"],
            "credentials": account(), "push_registration": push(),
        ]).with(changes)
    }

    static let list: JSONValue = [
        "organizations": [
            ["id": 17, "name": "Analytical Engines", "slug": "analytical-engines", "is_default": true],
            ["id": 42, "name": "Bletchley Park"], ["id": "org_nord", "name": "Nordlicht", "channel_number": "+4940"],
            ["id": "0042", "name": "Zero"],
        ]
    ]

    static func grant(_ token: String = access, seconds: Int64 = 900) -> JSONValue {
        ["access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(seconds)]
    }
}

extension JSONValue {
    /// The object with other members; nil removes one.
    func with(_ changes: [String: JSONValue?]) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }
}

// MARK: Whole steps

extension Phone {
    static func restored(
        _ state: BackendState? = nil, seed: UInt64 = 1, _ change: (inout BackendSettings) -> Void = { _ in }
    ) throws -> Phone {
        var phone = try Phone(seed: seed, change)
        phone.post(.restore(state, fresh: "urn:uuid:phone"))
        return phone
    }

    /// A phone that shows a code.
    static func waiting(_ changes: [String: JSONValue?] = [:]) throws -> Phone {
        var phone = try restored()
        phone.post(.signIn)
        try phone.answer(discovery, 200, provider)
        try phone.answer(authorise, 200, code(changes))
        phone.clear()
        return phone
    }

    /// A phone with the tokens of a confirmed sign-in.
    static func confirmed(_ idToken: String = idToken()) throws -> Phone {
        var phone = try waiting()
        phone.run(for: .seconds(5))
        try phone.answer(token, 200, tokens(idToken))
        return phone
    }

    mutating func finishSignIn(_ device: JSONValue = device()) throws {
        try answer(Self.jwks, 200, ["keys": [Self.key()]], etag: "\"keys-1\"")
        try verify()
        try answer(Self.devices, 201, device)
    }

    /// A signed-in phone with an access token, no open request, and empty logs.
    static func signedIn(_ device: JSONValue = device()) throws -> Phone {
        var phone = try confirmed()
        try phone.finishSignIn(device)
        try phone.answer(revoke, 200)
        try phone.answer(revoke, 200)
        try phone.answer(accessPath, 200, grant())
        try phone.answer(organisations, 200, list, etag: "\"list-1\"")
        phone.clear()
        phone.asked = [:]
        return phone
    }
}

extension BackendRequest {
    /// The body as a text.
    var text: String { body.bytes.map { String(decoding: $0.reveal(), as: UTF8.self) } ?? "" }
}
