import Base
import LineCore
import SDPCore
import SIPCore

/// A registrar that challenges, and an echo service behind it that answers calls. It stores no transactions: each
/// response follows from the request alone.
struct TestServer {
    /// The extensions that the server requires.
    let algorithm: String
    let minimumExpires: UInt32
    let grantedExpires: UInt32?
    var isSilent: Bool
    /// The Contact of the service behind the server.
    var contact = World.serverEndpoint
    let password: String
    /// Other users that it knows, with their passwords.
    var others: [String: String] = [:]

    /// The response to SUBSCRIBE, if it is refused.
    var refusal: Int?

    private(set) var requests: [SIPRequest] = []
    /// The registered users.
    private(set) var registered: Set<String> = []
    var isRegistered: Bool { !registered.isEmpty }
    private var generator = SeededGenerator(seed: 99)

    init(
        algorithm: String = "SHA-256", minimumExpires: UInt32 = 0, grantedExpires: UInt32? = nil,
        isSilent: Bool = false, password: String = "sesame"
    ) {
        self.algorithm = algorithm
        self.minimumExpires = minimumExpires
        self.grantedExpires = grantedExpires
        self.isSilent = isSilent
        self.password = password
    }

    /// Not cryptography: what matters here is that both ends compute the same over the same text.
    static let hashes = DigestHashes(
        md5: { toyHash($0, salt: 5) }, sha256: { toyHash($0, salt: 256) }, sha512256: { toyHash($0, salt: 512) })

    private static func toyHash(_ bytes: [UInt8], salt: UInt64) -> [UInt8] {
        let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 ^ salt) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0))) }
    }

    func count(_ method: SIPMethod) -> Int { requests.count { $0.method == method } }

    mutating func receive(_ bytes: [UInt8]) -> [[UInt8]] {
        guard !isSilent, case .request(let request)? = try? SIPMessage(bytes.span) else { return [] }
        requests.append(request)
        guard request.method != .ack else { return [] }
        if request.method == .subscribe, let refusal {
            return [request.response(SIPStatus(refusal), tag: "server").bytes]
        }
        guard isAuthorised(request) else {
            let status: SIPStatus = request.method == .register ? .unauthorized : .proxyAuthenticationRequired
            var response = request.response(status, tag: "server")
            response.headers[status == .unauthorized ? .wwwAuthenticate : .proxyAuthenticate] =
                "Digest realm=\"example\", nonce=\"n\(requests.count)\", algorithm=\(algorithm), qop=\"auth\""
            return [response.bytes]
        }
        return [answer(request).bytes]
    }

    private mutating func answer(_ request: SIPRequest) -> SIPResponse {
        switch request.method {
        case .register: return register(request)
        case .invite:
            var negotiation = MediaNegotiation(
                capabilities: .init(), local: .init(host: World.serverEndpoint.host, port: 9_000), using: &generator)
            guard let offer = try? SessionDescription(parsing: request.body),
                let answer = try? negotiation.answer(to: offer, held: false, using: &generator)
            else { return request.response(.notAcceptableHere, tag: "server") }
            var response = request.response(.ok, tag: "server")
            response.headers[.contact] = "<sip:echo@\(contact.host):\(contact.port)>"
            response.headers.set(.contentType, MediaType.sdp)
            response.body = answer.description.bytes
            return response
        case .subscribe:
            var response = request.response(.ok, tag: "server")
            response.headers.copy(.expires, from: request.headers)
            response.headers[.contact] = "<sip:\(World.serverEndpoint.host):\(World.serverEndpoint.port)>"
            return response
        default: return request.response(.ok, tag: "server")
        }
    }

    private mutating func register(_ request: SIPRequest) -> SIPResponse {
        let asked = (try? request.headers.expires) ?? nil
        if let asked, asked > 0, asked < minimumExpires {
            var response = request.response(.intervalTooBrief, tag: "server")
            response.headers.set(.minExpires, SIPNumber(minimumExpires))
            return response
        }
        let user = (try? request.headers.to)?.uri.sip?.user ?? ""
        if asked == 0 { registered.remove(user) } else { registered.insert(user) }
        var response = request.response(.ok, tag: "server")
        if let contact = request.headers[.contact], asked != 0 {
            response.headers[.contact] = contact + ";expires=\(grantedExpires ?? asked ?? 0)"
        }
        return response
    }

    /// RFC 7616 §3.4.1, computed from the request and the password that the server knows.
    private func isAuthorised(_ request: SIPRequest) -> Bool {
        let name: SIPHeaderName = request.method == .register ? .authorization : .proxyAuthorization
        guard let answer = try? request.headers.single(name, as: Authentication.self) else { return false }
        let hash = algorithm == "MD5" ? Self.hashes.md5 : Self.hashes.sha256
        func hex(_ text: String) -> String {
            hash(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        func value(_ name: String) -> String { answer.parameters[name] ?? "" }
        let user = value("username")
        guard let password = user == "alice" ? password : others[user] else { return false }
        let secret = hex("\(user):\(value("realm")):\(password)")
        let what = hex("\(request.method):\(value("uri"))")
        let expected = hex("\(secret):\(value("nonce")):\(value("nc")):\(value("cnonce")):auth:\(what)")
        return value("response") == expected && value("uri") == request.uri.text
    }
}

extension World {
    /// A line that is registered at a server.
    static func registered(_ change: (inout LineConfiguration) -> Void = { _ in }) -> World {
        var world = World()
        world.server = TestServer()
        var configuration = RegistrationTests.account()
        change(&configuration)
        world.add(configuration)
        world.run(.seconds(1))
        return world
    }
}
