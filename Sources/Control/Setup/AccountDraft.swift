import Base

/// An account as a program describes it, to be tried at its server before the vault keeps it. The texts are as they
/// came; what they mean is checked by who tries it.
public struct AccountDraft: Equatable, Sendable {
    /// How the server may be spoken to, and whether voice is encrypted: the words of `offhook account add`.
    static let transports = ["udp", "tcp", "tls", "ws", "wss", "auto"]
    static let protections = ["mandatory", "dtls", "offered", "off"]
    /// In bytes.
    static let longest = 256

    public var label: String
    public var user: String
    /// The server's host, with `:PORT` if it is not the usual one, and `/PATH` behind it if a WebSocket server has one.
    public var server: String
    /// Nil: the server asks for none.
    public var password: Redacted<String>?
    public var authUser: String?
    public var displayName: String?
    public var domain: String?
    public var transport: String
    public var protection: String
    /// The SHA-256 of the one certificate that the server may show.
    public var pin: String?
    /// The PEM file of the authority that signed the server's certificate.
    public var authorities: String?

    init(_ params: RPCParams) throws(RPCError) {
        func text(_ name: String) throws(RPCError) -> String? {
            // A field of a form that nobody filled in says nothing.
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
