import Base
import JSON
import LineCore
import SDPCore
import SIPCore
import VertoCore

/// A whole Verto line: its session, and the offers and answers of its calls. In a frame `$CALL` is the call of our
/// last frame, and `"$SDP"` a description that fits it.
struct FuzzedVertoLine: VertoFuzz {
    static let turnLimit = 5_000
    private static let password = "swordfish"
    private static let flow = Flow(.wss, local: .init("192.0.2.1", 40_000), remote: .init("203.0.113.9", 443))
    private static let server = NextHop(host: "rtc.example", port: 443, transport: .wss)
    private static let capabilities = MediaCapabilities(
        protection: .dtls, fingerprint: CertificateFingerprint(digest: Array(repeating: 7, count: 32)))

    private var line: VertoLine
    private var generator = SeededGenerator(seed: 7)
    private let far: MediaNegotiation
    /// The far end's descriptions, and the call, that the line's last frames led to.
    private var description: String
    private var call = ""
    var asked: [JSONValue] = []
    /// The legs that have begun and have not ended.
    private var alive: Set<CallID> = []
    private var dialled: UInt32 = 0
    private var isFinished = false
    var now = Instant.zero

    init(_ dialect: VertoDialect) {
        var seed: UInt64 = 0
        var account = LineConfiguration.Account(domain: "rtc.example", server: Self.server)
        (account.verto, account.password) = (dialect, Redacted(Self.password))
        line = VertoLine(
            configuration: LineConfiguration(user: "101", account: account, media: Self.capabilities),
            makeGenerator: {
                seed += 1
                return SeededGenerator(seed: seed)
            })
        far = MediaNegotiation(
            capabilities: Self.capabilities, local: .init(host: "203.0.113.9", port: 9_000),
            ice: Self.candidates("f", 9_000),
            using: &generator)
        var offering = far
        description = Self.text(offering.offer(held: false, using: &generator))
        post(.start)
    }

    mutating func connect() { post(.command(.reconnect(.direct))) }
    mutating func disconnect() { post(.command(.disconnect(.direct))) }
    mutating func opened() { post(.located(Self.server, [Self.flow])) }
    mutating func notFound() { post(.located(Self.server, [], because: "no such name")) }
    mutating func closed() { post(.transportFailed(Self.flow, because: "reset")) }
    mutating func changePath() { post(.networkChanged) }

    mutating func end() {
        run(for: .seconds(30))
        post(.command(.shutDown))
        precondition(isFinished && alive.isEmpty, "a line that was shut down has calls")
        precondition(line.deadline == nil, "an unused line continues")
    }

    // MARK: Server and owner

    mutating func receive(_ text: String) {
        let sdp = JSONValue.string(description).text
        let frame = text.replacing("$CALL", with: call).replacing("\"$SDP\"", with: sdp)
        post(.received(Array(frame.utf8), Self.flow))
    }

    /// A letter for the command; for a call's also that of the call, the ones that the line dialled in lower case.
    mutating func command(_ rest: ArraySlice<UInt8>) {
        guard let letter = rest.first else { return }
        let name = rest.dropFirst().first ?? 0
        let number = UInt32(name & 0x1F)
        let leg = CallID(name & 0x20 == 0 ? .line(.direct) : .phone, number)
        switch letter {
        case UInt8(ascii: "I"):
            dialled += 1
            let dialling = CallID(.phone, dialled)
            alive.insert(dialling)
            post(.command(.dial(dialling, target: "102", account: .direct, media(name))))
        case UInt8(ascii: "A"): post(.command(.answer(leg, media(name), awaitingACK: false)))
        case UInt8(ascii: "R"): post(.command(.refuse(leg, .busy)))
        case UInt8(ascii: "E"): post(.command(.end(leg)))
        case UInt8(ascii: "H"): post(.command(.hold(leg, true)))
        case UInt8(ascii: "U"): post(.command(.hold(leg, false)))
        case UInt8(ascii: "M"): post(.command(.move(leg, MediaEndpoint(port: 4_000, ice: Self.candidates("b", 4_002)))))
        case UInt8(ascii: "T"): post(.command(.dtmf(leg, [.symbol(.one), .symbol(.two)])))
        case UInt8(ascii: "N"):
            post(.command(.candidates(leg, ["2 1 UDP 1 192.0.2.7 4002 typ host"], isLast: number & 1 == 0)))
        default: break
        }
    }

    private func media(_ name: UInt8) -> MediaEndpoint {
        MediaEndpoint(port: 4_000, ice: name & 0x40 == 0 ? nil : Self.candidates("a", 4_000))
    }

    private static func candidates(_ letter: Character, _ port: Int) -> LocalICE {
        let description = ICEDescription(
            userFragment: String(repeating: letter, count: 4),
            password: SecretBytes(String(repeating: letter, count: 22).utf8),
            candidates: ["1 1 UDP 2130706431 192.0.2.1 \(port) typ host"])
        return LocalICE(description, isOffered: true, isIncomplete: true)
    }

    // MARK: Running

    var deadline: Instant? { line.deadline }
    mutating func passDeadline() { post(.deadline) }

    private mutating func post(_ input: LineInput) {
        let outputs = line.handle(input, at: now)
        precondition(outputs.count <= 400, "\(outputs.count) outputs at once")
        if let deadline = line.deadline { precondition(deadline > now, "a deadline that has passed") }
        for output in outputs { judge(output) }
    }

    private mutating func judge(_ output: LineOutput) {
        if case .send(let bytes, _) = output { return sent(bytes) }
        precondition(!"\(output)".contains(Self.password), "a secret in a word")
        switch output {
        case .event(.offered(let leg, _)): precondition(alive.insert(leg).inserted, "a call came twice")
        case .event(.ended(let leg, _)): precondition(alive.remove(leg) != nil, "a call ended twice")
        case .event(.offerSent(let leg)), .event(.ringing(let leg)), .event(.earlyMedia(let leg, _)),
            .event(.answered(let leg, _)), .event(.renegotiated(let leg, _, _)),
            .event(.displayUpdated(let leg, _, _, _)), .event(.holdSettled(let leg, _)), .event(.moved(let leg, _)):
            precondition(alive.contains(leg), "something of a call that is not there")
        case .finished: isFinished = true
        case .lookUp(let question): post(.lookedUp(question, .silence))
        default: break
        }
    }

    private mutating func sent(_ bytes: [UInt8]) {
        guard let frame = try? JSONValue(parsing: bytes) else { preconditionFailure("a frame is JSON") }
        sent(frame)
        guard let params = frame["params"], let named = params["dialogParams"]?["callID"]?.string else { return }
        call = named
        guard let sdp = params["sdp"]?.string, let ours = try? SessionDescription(parsing: Array(sdp.utf8)) else {
            return
        }
        var answering = far
        if let answer = try? answering.answer(to: ours, held: false, using: &generator) {
            description = Self.text(answer.description)
        }
    }

    private static func text(_ description: SessionDescription) -> String {
        String(decoding: description.bytes, as: UTF8.self)
    }
}
