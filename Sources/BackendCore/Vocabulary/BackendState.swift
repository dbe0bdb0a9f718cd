import Base
import JSON

/// What the phone keeps of the backend when it restarts.
///
/// `Codable` is for event logs and never writes a secret. `secretText` is for the vault.
public struct BackendState: Equatable, Codable, Sendable {
    /// The phone's own name at every backend. It is made once, and a sign-out keeps it.
    public var deviceID: String
    /// Nil: the phone is signed out.
    public var registration: BackendRegistration?

    public init(deviceID: String, registration: BackendRegistration? = nil) {
        (self.deviceID, self.registration) = (deviceID, registration)
    }
}

public struct BackendRegistration: Equatable, Codable, Sendable {
    /// Host and port of the backend. Its device token is shown to no other one.
    public var backend: String
    /// The backend's identifier of the phone.
    public var id: String
    public var deviceToken: Redacted<String>
    public var person: BackendPerson
    /// The organisation that the phone works for.
    public var current: BackendOrganisation
    /// The user's organisations as last listed.
    public var organisations: [BackendOrganisation] = []
    public var credentialTimes = CredentialTimes()
    public var push: BackendPush?
    /// In seconds since 1970.
    public var pushRegisteredAt: Int64?
    /// The user signed out, but the deletion at the backend has not ended.
    public var isEnding = false

    public init(
        backend: String, id: String, deviceToken: Redacted<String>, person: BackendPerson, current: BackendOrganisation
    ) {
        (self.backend, self.id, self.deviceToken, self.person) = (backend, id, deviceToken, person)
        self.current = current
    }
}

/// The life of an account's credentials, in seconds since 1970.
public struct CredentialTimes: Equatable, Codable, Sendable {
    /// Nil: the backend issued none.
    public var issuedAt: Int64?
    /// Nil: they have no end.
    public var expireAt: Int64?

    public init(issuedAt: Int64? = nil, expireAt: Int64? = nil) {
        (self.issuedAt, self.expireAt) = (issuedAt, expireAt)
    }
}

extension BackendState {
    /// The state with its secrets, as JSON, for storage that is sealed.
    public var secretText: SecretBytes {
        var members: [String: JSONValue] = ["version": 1, "device_id": .string(deviceID)]
        if let registration { members["registration"] = registration.secretJSON }
        var bytes = JSONValue.object(members).utf8
        return SecretBytes(taking: &bytes)
    }

    /// Reads `secretText`.
    public init(secretText: SecretBytes) throws(BackendParseFault) {
        // The largest list of organisations, written with escapes, is longer than any answer.
        let reader = try AnswerReader(
            unsafe secretText.withBytes { unsafe Array($0) }, limit: 8 * BackendLimits.bodyBytes)
        guard reader.value("version") == 1 else { throw reader.fault("version", .unknownValue) }
        deviceID = try reader.visible("device_id", bytes: BackendLimits.fieldBytes)
        registration = try reader.partIfAny("registration").map { part throws(BackendParseFault) in
            try BackendRegistration(secret: part)
        }
    }
}

extension BackendRegistration {
    fileprivate var secretJSON: JSONValue {
        var members: [String: JSONValue] = [
            "backend": .string(backend), "id": .string(id), "device_token": .string(deviceToken.reveal()),
            "person": person.json, "current": current.json, "organizations": .array(organisations.map(\.json)),
            "is_ending": .bool(isEnding),
        ]
        members["credentials_issued_at"] = credentialTimes.issuedAt.map(JSONValue.integer)
        members["credentials_expire_at"] = credentialTimes.expireAt.map(JSONValue.integer)
        members["push"] = push?.secretJSON
        members["push_registered_at"] = pushRegisteredAt.map(JSONValue.integer)
        return .object(members)
    }

    fileprivate init(secret reader: AnswerReader) throws(BackendParseFault) {
        let person = try reader.part("person")
        self.init(
            backend: try reader.visible("backend", bytes: BackendURL.longest),
            id: try reader.visible("id", bytes: BackendLimits.idBytes),
            deviceToken: try reader.secret("device_token"),
            person: BackendPerson(
                subject: try person.visible("sub", bytes: BackendLimits.subjectBytes),
                name: try person.shownIfAny("name"),
                email: try person.shownIfAny("email", bytes: BackendLimits.emailBytes)),
            current: try BackendOrganisation(listed: try reader.part("current")))
        organisations = try BackendOrganisation.list("organizations", in: reader)
        isEnding = try reader.flagIfAny("is_ending") ?? false
        credentialTimes.issuedAt = try reader.numberIfAny("credentials_issued_at", in: 0...Int64.max / 2)
        credentialTimes.expireAt = try reader.numberIfAny("credentials_expire_at", in: 0...Int64.max / 2)
        push = try reader.partIfAny("push").map { part throws(BackendParseFault) in try BackendPush(part) }
        pushRegisteredAt = try reader.numberIfAny("push_registered_at", in: 0...Int64.max / 2)
    }
}

extension BackendPerson {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["sub": .string(subject)]
        members["name"] = name.map(JSONValue.string)
        members["email"] = email.map(JSONValue.string)
        return .object(members)
    }
}

extension BackendOrganisation {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["id": id.json, "name": .string(name), "is_default": .bool(isDefault)]
        members["slug"] = slug.map(JSONValue.string)
        members["channel_number"] = channelNumber.map(JSONValue.string)
        return .object(members)
    }
}

extension BackendPush {
    fileprivate var secretJSON: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "host": .string(host), "port": .integer(Int64(port)), "topic": .string(topic),
        ]
        members["push_token"] = token.map(JSONValue.string)
        members["presence_topic"] = presenceTopic.map(JSONValue.string)
        members["client_id"] = clientID.map(JSONValue.string)
        members["username"] = user.map(JSONValue.string)
        members["password"] = password.map { .string($0.reveal()) }
        members["renew_after"] = renewAfter.map(JSONValue.integer)
        return .object(members)
    }
}
