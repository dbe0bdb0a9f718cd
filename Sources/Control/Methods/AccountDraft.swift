import Base
import JSON

/// What a client says of an account. Nil means that it says nothing, and an empty text removes an optional value. The
/// texts are unchecked; the program checks them.
public struct AccountDraft: Equatable, Sendable {
    /// The fields, by the names of their parameters.
    public enum Field: String, CaseIterable, Sendable {
        case label, kind, user, server, password, token, authUser, displayName, domain, transport, protection
        case registers, ice, stun, turn, turnPassword, allowClearPassword
        case pin, authorities

        /// Whether it belongs to the configuration. Only a trial uses it.
        var isOfTrial: Bool { self == .pin || self == .authorities }
    }

    /// The words of `offhook account add`.
    static let kinds = ["sip", "verto", "telnyx"]
    static let transports = ["udp", "tcp", "tls", "ws", "wss", "auto"]
    static let protections = ["mandatory", "dtls", "offered", "off"]
    static let policies = ["off", "answered", "always", "relayed"]
    /// In bytes.
    static let longest = 256
    static let longestToken = 4_096
    /// The longest list of servers, in bytes.
    static let longestList = 1_024

    public var label: String?
    public var kind: String?
    public var user: String?
    /// The server's host, with `:PORT` if it is not the default. A WebSocket server may have a `/PATH` after that.
    public var server: String?
    public var password: Redacted<String>?
    /// A login token, instead of user and password.
    public var token: Redacted<String>?
    public var authUser: String?
    public var displayName: String?
    public var domain: String?
    public var transport: String?
    public var protection: String?
    public var registers: Bool?
    /// The policy of ICE.
    public var ice: String?
    /// STUN servers as `HOST[:PORT]`, separated by spaces.
    public var stun: String?
    /// TURN servers as `[turns:]USER@HOST[:PORT]`, separated by spaces.
    public var turn: String?
    public var turnPassword: Redacted<String>?
    public var allowClearPassword: Bool?
    /// The SHA-256 of the only certificate that the server may show.
    public var pin: String?
    /// The PEM file of the authority that signed the server's certificate.
    public var authorities: String?

    public init(label: String? = nil) { self.label = label }

    /// - Parameter changes: Whether an empty text removes a value. Otherwise an empty field of a form means no value.
    init(_ params: RPCParams, changes: Bool) throws(RPCError) {
        func text(_ field: Field, limit: Int = Self.longest) throws(RPCError) -> String? {
            let text = try params.optionalText(field.rawValue, limit: limit)
            return !changes && text?.isEmpty == true ? nil : text
        }
        func word(_ field: Field, of words: [String]) throws(RPCError) -> String? {
            params.has(field.rawValue) ? try params.choice(field.rawValue, words.map { ($0, $0) }) : nil
        }
        func flag(_ field: Field) throws(RPCError) -> Bool? {
            params.has(field.rawValue) ? try params.flag(field.rawValue) : nil
        }
        label = changes ? try text(.label) : try params.text(Field.label.rawValue, limit: Self.longest)
        kind = try word(.kind, of: Self.kinds)
        user = try text(.user)
        server = try text(.server)
        password = try text(.password).map { Redacted($0) }
        token = try text(.token, limit: Self.longestToken).map { Redacted($0) }
        authUser = try text(.authUser)
        displayName = try text(.displayName)
        domain = try text(.domain)
        transport = try word(.transport, of: Self.transports)
        protection = try word(.protection, of: Self.protections)
        registers = try flag(.registers)
        ice = try word(.ice, of: Self.policies)
        stun = try text(.stun, limit: Self.longestList)
        turn = try text(.turn, limit: Self.longestList)
        turnPassword = try text(.turnPassword).map { Redacted($0) }
        allowClearPassword = try flag(.allowClearPassword)
        pin = try text(.pin)
        authorities = try text(.authorities)
    }

    /// The parameters of a request with these fields. They contain the secrets.
    public var params: [String: JSONValue] {
        let texts: [(Field, String?)] = [
            (.label, label), (.kind, kind), (.user, user), (.server, server), (.password, password?.reveal()),
            (.token, token?.reveal()), (.authUser, authUser), (.displayName, displayName), (.domain, domain),
            (.transport, transport), (.protection, protection), (.ice, ice), (.stun, stun), (.turn, turn),
            (.turnPassword, turnPassword?.reveal()), (.pin, pin), (.authorities, authorities),
        ]
        var params: [String: JSONValue] = [:]
        for (field, text) in texts { params[field.rawValue] = text.map { .string($0) } }
        params[Field.registers.rawValue] = registers.map { .bool($0) }
        params[Field.allowClearPassword.rawValue] = allowClearPassword.map { .bool($0) }
        return params
    }
}
