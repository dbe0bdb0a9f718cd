import Base

/// An account from a client, to try at its server before the vault stores it. The texts are unchecked; the trial checks
/// them.
public struct AccountDraft: Equatable, Sendable {
    /// The transports and protections, with the words of `offhook account add`.
    static let transports = ["udp", "tcp", "tls", "ws", "wss", "auto"]
    static let protections = ["mandatory", "dtls", "offered", "off"]
    /// In bytes.
    static let longest = 256

    public var label: String
    public var user: String
    /// The server's host, with `:PORT` if it is not the default. A WebSocket server may have a `/PATH` after that.
    public var server: String
    /// Nil: the server needs no password.
    public var password: Redacted<String>?
    public var authUser: String?
    public var displayName: String?
    public var domain: String?
    public var transport: String
    public var protection: String
    /// The SHA-256 of the only certificate that the server may show.
    public var pin: String?
    /// The PEM file of the authority that signed the server's certificate.
    public var authorities: String?

    init(_ params: RPCParams) throws(RPCError) {
        func text(_ name: String) throws(RPCError) -> String? {
            // An empty field of a form means no value.
            let text = try params.optionalText(name, limit: Self.longest)
            return text?.isEmpty == true ? nil : text
        }
        func word(_ name: String, of words: [String]) throws(RPCError) -> String {
            params.has(name) ? try params.choice(name, words.map { ($0, $0) }) : words[0]
        }
        label = try params.text("label", limit: Self.longest)
        user = try params.text("user", limit: Self.longest)
        server = try params.text("server", limit: Self.longest)
        password = try text("password").map { Redacted($0) }
        authUser = try text("authUser")
        displayName = try text("displayName")
        domain = try text("domain")
        transport = try word("transport", of: Self.transports)
        protection = try word("protection", of: Self.protections)
        pin = try text("pin")
        authorities = try text("authorities")
    }
}
