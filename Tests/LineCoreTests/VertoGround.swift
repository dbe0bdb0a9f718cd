import Base
import ICECore
import JSON
import LineCore
import SDPCore
import SIPCore
import Testing
import VertoCore

/// A line, and the responses of its server.
struct VertoGround {
    static let flow = Flow(.wss, local: .init("192.0.2.1", 40_000), remote: .init("203.0.113.9", 443))
    static let server = NextHop(host: "rtc.example", port: 443, transport: .wss)
    static let fingerprint = CertificateFingerprint(digest: Array(repeating: 7, count: 32))
    static let capabilities = MediaCapabilities(protection: .dtls, fingerprint: fingerprint)

    var line: VertoLine
    var far: MediaNegotiation
    var generator = SeededGenerator(seed: 7)
    var now = Instant.zero
    var outputs: [LineOutput] = []
    private var nextID: Int64 = 100
    /// Whether the line has requested the path to its server.
    private var isLocating = false
    private let dialect: VertoDialect

    init(
        token: String? = nil, _ dialect: VertoDialect = .telnyx,
        _ change: (inout LineConfiguration) -> Void = { _ in }
    ) throws {
        self.dialect = dialect
        var seed: UInt64 = 0
        var account = LineConfiguration.Account(domain: "rtc.example", server: Self.server)
        account.verto = dialect
        account.password = Redacted("secret")
        account.token = token.map { Redacted($0) }
        var configuration = LineConfiguration(user: "101", account: account, media: Self.capabilities)
        change(&configuration)
        line = VertoLine(
            configuration: configuration,
            makeGenerator: {
                seed += 1
                return SeededGenerator(seed: seed)
            })
        far = MediaNegotiation(
            capabilities: Self.capabilities, local: .init(host: "203.0.113.9", port: 9_000),
            ice: try Self.candidates("f", 9_000), using: &generator)
    }

    /// - Parameter isTrickled: whether others follow.
    static func candidates(_ letter: Character, _ port: Int, isTrickled: Bool = false) throws -> LocalICE {
        let credentials = try #require(
            ICECredentials(
                userFragment: String(repeating: letter, count: 4),
                password: Redacted(String(repeating: letter, count: 22))))
        let candidate = "1 1 UDP 2130706431 192.0.2.1 \(port) typ host"
        return LocalICE(
            ICEDescription(credentials, candidates: [candidate]), isOffered: true,
            isIncomplete: isTrickled ? true : nil)
    }

    mutating func post(_ input: LineInput) {
        now = now + .milliseconds(20)
        outputs = []
        for output in line.handle(input, at: now) {
            // No name server answers: the test decides which flows exist.
            if case .lookUp(let question) = output {
                outputs += line.handle(.lookedUp(question, .silence), at: now)
            } else {
                outputs.append(output)
            }
        }
        if outputs.contains(.locate(Self.server, [])) { isLocating = true }
    }

    /// The frames that left with the last input.
    var frames: [JSONValue] {
        outputs.compactMap {
            if case .send(let bytes, Self.flow) = $0 { try? JSONValue(parsing: bytes) } else { nil }
        }
    }

    static func text(_ description: SessionDescription) -> JSONValue {
        .string(String(decoding: description.bytes, as: UTF8.self))
    }

    mutating func say(_ frame: JSONValue) { post(.received(Array(frame.text.utf8), Self.flow)) }

    /// The server's answer to the last frame.
    mutating func answer(_ result: JSONValue) throws {
        let id = try #require(frames.last?["id"])
        say(["jsonrpc": "2.0", "id": id, "result": result])
    }

    /// A request of the server's.
    mutating func ask(_ method: String, _ params: JSONValue) {
        nextID += 1
        say(["jsonrpc": "2.0", "id": .integer(nextID), "method": .string(prefix + method), "params": params])
    }

    var prefix: String {
        switch dialect {
        case .telnyx: "telnyx_rtc."
        case .freeSWITCH: "verto."
        }
    }

    mutating func register() throws {
        post(.start)
        try logIn()
        #expect(outputs.contains(.event(.registration(.direct, .registered))))
    }

    /// The connection is lost, and with it every pending request.
    mutating func lose() {
        isLocating = false
        post(.transportFailed(Self.flow))
    }

    /// The line has another connection, and the server lists the calls that it can reattach.
    mutating func comeBack(with calls: JSONValue...) throws {
        for _ in 0..<10 where !isLocating {
            now = try #require(line.deadline)
            post(.deadline)
        }
        try logIn(reattached: calls)
    }

    private mutating func logIn(reattached: [JSONValue] = []) throws {
        #expect(isLocating)
        isLocating = false
        post(.located(Self.server, [Self.flow]))
        #expect(frames.last?["method"] == "login")
        try finishLogin(reattached: reattached)
    }

    /// The server accepts the login that left with the last input.
    mutating func finishLogin(reattached: [JSONValue] = []) throws {
        try answer(["message": "logged in", "sessid": try #require(frames.last?["params"]?["sessid"])])
        guard dialect == .telnyx else {
            #expect(outputs.contains(.event(.registration(.direct, .registered))))
            return
        }
        ask("clientReady", ["reattached_sessions": .array(reattached)])
        let asked = try #require(frames.last { $0["method"] == "telnyx_rtc.gatewayState" }?["id"])
        say(["jsonrpc": "2.0", "id": asked, "result": ["params": ["state": "REGED"]]])
    }

    /// A dialled call whose invitation has left.
    /// - Returns: Its name and its offer.
    mutating func invite(
        _ leg: CallID, isTrickled: Bool = false
    ) throws -> (call: JSONValue, offer: SessionDescription) {
        let media = MediaEndpoint(port: 4_000, ice: try Self.candidates("a", 4_000, isTrickled: isTrickled))
        post(.command(.dial(leg, target: "102", account: .direct, media)))
        let params = try #require(frames.last?["params"])
        #expect(params["dialogParams"]?["destination_number"] == "102")
        let call = try #require(params["dialogParams"]?["callID"])
        let offer = try SessionDescription(parsing: Array(try #require(params["sdp"]?.string).utf8))
        try answer(["message": "CALL CREATED", "callID": call])
        return (call, offer)
    }

    mutating func answered(_ leg: CallID, isTrickled: Bool = false) throws -> JSONValue {
        let (call, offer) = try invite(leg, isTrickled: isTrickled)
        let answer = try far.answer(to: offer, held: false, using: &generator)
        // FreeSWITCH has no word for it.
        if dialect == .telnyx {
            ask("ringing", ["callID": call])
            #expect(outputs.contains(.event(.ringing(leg))))
        }
        ask("answer", ["callID": call, "sdp": .string(String(decoding: answer.description.bytes, as: UTF8.self))])
        return call
    }

    /// A registered line dials, and the call is answered.
    mutating func talk(_ leg: CallID) throws -> JSONValue {
        try register()
        return try answered(leg)
    }

    func agreed(_ leg: CallID) -> NegotiatedMedia? {
        outputs.lazy.compactMap { if case .event(.answered(leg, let agreed)) = $0 { agreed } else { nil } }.first
    }
}
