import Base
import JSON
import Telephony

/// An organisation's identifier: a number or a text, and it goes back as it came.
public enum BackendOrganisationID: Hashable, Codable, Sendable, CustomStringConvertible {
    case number(Int64)
    case text(String)

    public var description: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        }
    }

    var json: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}

public struct BackendOrganisation: Hashable, Codable, Sendable {
    public var id: BackendOrganisationID
    /// For people.
    public var name: String
    public var slug: String?
    /// Which of our numbers it is called by.
    public var channelNumber: String?
    public var isDefault = false

    public init(id: BackendOrganisationID, name: String, slug: String? = nil) {
        (self.id, self.name, self.slug) = (id, name, slug)
    }

    /// Reads `organization_id`, `organization_name` and `organization_slug`.
    init(beside reader: AnswerReader) throws(BackendParseFault) {
        id = try reader.organisationID("organization_id")
        slug = try reader.shownIfAny("organization_slug")
        name = try reader.shownIfAny("organization_name") ?? slug ?? id.description
    }

    /// Reads an element of the list of organisations.
    init(listed reader: AnswerReader) throws(BackendParseFault) {
        id = try reader.organisationID("id")
        slug = try reader.shownIfAny("slug")
        name = try reader.shownIfAny("name") ?? slug ?? id.description
        channelNumber = try reader.shownIfAny("channel_number")
        isDefault = try reader.flagIfAny("is_default") ?? false
    }

    /// Reads the list of organisations.
    static func list(_ body: [UInt8]) throws(BackendParseFault) -> [BackendOrganisation] {
        try list("organizations", in: try AnswerReader(body))
    }

    static func list(_ key: String, in reader: AnswerReader) throws(BackendParseFault) -> [BackendOrganisation] {
        let elements = try reader.elements(key)
        guard elements.count <= BackendLimits.organisations else { throw reader.fault(key, .tooMany) }
        var list: [BackendOrganisation] = []
        for (place, element) in elements.enumerated() {
            list.append(try BackendOrganisation(listed: try AnswerReader(element, at: "\(key)[\(place)]")))
        }
        return list
    }
}

/// The user, as the ID token names them.
public struct BackendPerson: Hashable, Codable, Sendable {
    /// The user's identity, which never changes.
    public var subject: String
    public var name: String?
    public var email: String?

    public init(subject: String, name: String? = nil, email: String? = nil) {
        (self.subject, self.name, self.email) = (subject, name, email)
    }

    /// Keeps a name and an e-mail that are known already: a provider may send them only once.
    func completed(by other: BackendPerson?) -> BackendPerson {
        guard let other, other.subject == subject else { return self }
        return BackendPerson(subject: subject, name: name ?? other.name, email: email ?? other.email)
    }
}

/// An account of the phone at a call server, as the backend issues it.
public struct BackendCredentials: Equatable, Codable, Sendable {
    public var kind: AccountServer.Kind
    public var user: String
    public var password: Redacted<String>
    /// Nil: the configured server stays.
    public var server: String?
    public var transport: AccountServer.Transport?
    public var callerName: String?
    public var callerNumber: String?
    public var organisation: BackendOrganisation
    /// Of a Telnyx account. It is valid for a day.
    public var loginToken: Redacted<String>?
    /// In seconds since 1970.
    public var issuedAt: Int64?
    /// When the login token ends, in seconds since 1970.
    public var expiresAt: Int64?

    init(_ body: [UInt8]) throws(BackendParseFault) { try self.init(try AnswerReader(body)) }

    init(_ reader: AnswerReader) throws(BackendParseFault) {
        kind = try Self.named("kind", in: reader) ?? .sip
        user = try reader.line("sip_username")
        password = Redacted(try reader.line("sip_password"))
        server = try reader.visibleIfAny("sip_server", bytes: BackendLimits.fieldBytes)
        transport = try Self.named("sip_transport", in: reader)
        callerName = try reader.shownIfAny("caller_id_name")
        callerNumber = try reader.shownIfAny("caller_id_number")
        organisation = try BackendOrganisation(beside: reader)
        loginToken = try reader.secretIfAny("login_token", bytes: BackendLimits.tokenBytes)
        issuedAt = try reader.timeIfAny("issued_at")
        expiresAt = try reader.timeIfAny("expires_at")
    }

    private static func named<Value: RawRepresentable<String>>(
        _ key: String, in reader: AnswerReader
    ) throws(BackendParseFault) -> Value? {
        guard let text = try reader.visibleIfAny(key, bytes: BackendLimits.fieldBytes) else { return nil }
        guard let value = Value(rawValue: text) else { throw reader.fault(key, .unknownValue) }
        return value
    }
}

/// A registration at the broker of caller info.
public struct BackendPush: Equatable, Codable, Sendable {
    public var id: String
    /// Names the registration, for a person who looks for it in a log.
    public var token: String?
    public var host: String
    public var port: UInt16
    public var topic: String
    public var presenceTopic: String?
    public var clientID: String?
    public var user: String?
    public var password: Redacted<String>?
    /// The wished age of renewal, in seconds.
    public var renewAfter: Int64?

    init(_ body: [UInt8]) throws(BackendParseFault) { try self.init(try AnswerReader(body)) }

    init(_ reader: AnswerReader) throws(BackendParseFault) {
        id = try reader.visible("id", bytes: BackendLimits.idBytes)
        token = try reader.shownIfAny("push_token")
        host = try reader.visible("host", bytes: BackendLimits.fieldBytes)
        port = UInt16(truncatingIfNeeded: try reader.number("port", in: 1...65_535))
        guard let topic = try Self.topic("topic", reader) else { throw reader.fault("topic", .missing) }
        self.topic = topic
        presenceTopic = try Self.topic("presence_topic", reader)
        clientID = try reader.visibleIfAny("client_id", bytes: BackendLimits.fieldBytes)
        user = try reader.lineIfAny("username")
        password = try reader.lineIfAny("password").map(Redacted.init)
        renewAfter = try reader.numberIfAny("renew_after", in: 0...Int64.max)
    }

    /// A topic without wildcards (MQTT 5 §4.7.1): a phone subscribes to its own topic only.
    private static func topic(_ key: String, _ reader: AnswerReader) throws(BackendParseFault) -> String? {
        guard let topic = try reader.lineIfAny(key) else { return nil }
        guard !topic.contains(where: { $0 == "#" || $0 == "+" }) else { throw reader.fault(key, .characters) }
        return topic
    }
}
