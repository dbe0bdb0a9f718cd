import JSON

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
