import Base
import JSON
import Testing
import VertoCore

/// A session in simulated time, and the server's side of its connection.
struct Line {
    static let password = "s3cr3t-p4ssw0rd"
    static let token = "eyJhbGciOiJIUzI1NiJ9.t0k3n"

    var session: VertoSession
    var now = Instant(nanoseconds: 1_000_000_000)
    /// Everything since the last `clear()`.
    var effects: [VertoSession.Effect] = []
    var socket: VertoSocketID?
    /// Sent frames that the test has not read.
    var sent: [JSONValue] = []
    /// Every frame's text, from the beginning.
    var wire: [String] = []
    let dialect: VertoDialect

    init(
        _ dialect: VertoDialect = .telnyx,
        _ credentials: VertoCredentials = .password(user: "alice", Redacted(Line.password)), seed: UInt64 = 7
    ) {
        self.dialect = dialect
        session = VertoSession(
            .init(dialect, agent: "Offhook/1"), credentials, generator: SeededGenerator(seed: seed))
    }

    // MARK: Events

    mutating func post(_ event: VertoSession.Event) {
        for effect in session.handle(event, at: now) {
            effects.append(effect)
            switch effect {
            case .connect(let socket, _): self.socket = socket
            case .send(let frame):
                wire.append(frame.text.reveal())
                if let json = try? JSONValue(parsing: frame.text.reveal()) { sent.append(json) }
            case .disconnect, .state, .call, .text, .messagesWaiting, .watched: break
            }
        }
        if let deadline = session.deadline { #expect(deadline > now, "a deadline that has passed") }
    }

    mutating func post(_ call: VertoCallID, _ command: VertoCallCommand) { post(.call(call, command)) }

    mutating func run(for duration: Duration) {
        let end = now + duration
        var turns = 0
        while let due = session.deadline, due <= end {
            turns += 1
            guard turns < 10_000 else {
                Issue.record("a deadline that does not pass")
                return
            }
            now = max(now, due)
            post(.deadline)
        }
        now = end
    }

    /// Runs from deadline to deadline, until it asks for a connection.
    mutating func runUntilConnecting() throws {
        for _ in 0..<100 where session.state != .connecting {
            now = max(now, try #require(session.deadline))
            post(.deadline)
        }
        #expect(session.state == .connecting)
    }

    mutating func clear() { (effects, sent) = ([], []) }

    // MARK: The server

    mutating func receive(_ text: String) {
        guard let socket else { return }
        post(.received(text, socket))
    }

    mutating func receive(_ json: JSONValue) { receive(json.text) }

    /// A request of the server's.
    mutating func server(_ method: String, _ params: JSONValue, id: JSONValue = 41) {
        receive(["jsonrpc": "2.0", "id": id, "method": .string(prefix + method), "params": params])
    }

    var prefix: String {
        switch dialect {
        case .telnyx: "telnyx_rtc."
        case .freeSWITCH: "verto."
        }
    }

    /// The last frame with this method, which is not read again.
    mutating func take(_ method: String) -> JSONValue? {
        let name = method == "login" ? method : prefix + method
        guard let place = sent.lastIndex(where: { $0["method"] == .string(name) }) else { return nil }
        return sent.remove(at: place)
    }

    mutating func request(_ method: String) throws -> JSONValue {
        let request = take(method)
        return try #require(request, "\(method) was not asked")
    }

    /// Answers the last request of this method.
    mutating func answer(_ method: String, _ result: JSONValue = [:]) throws {
        let request = try request(method)
        receive(["jsonrpc": "2.0", "id": try #require(request["id"]), "result": result])
    }

    mutating func refuse(_ method: String, _ error: JSONValue) throws {
        let request = try request(method)
        receive(["jsonrpc": "2.0", "id": try #require(request["id"]), "error": error])
    }

    // MARK: Reports

    /// The number of values in the session.
    var kept: Int { Self.size(of: session) }

    private static func size(of value: Any) -> Int {
        Mirror(reflecting: value).children.reduce(1) { $0 + size(of: $1.value) }
    }

    var states: [VertoState] {
        effects.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    func told(_ call: VertoCallID) -> [VertoCallEvent] {
        effects.compactMap { if case .call(call, let event) = $0 { event } else { nil } }
    }

    var queries: [String] {
        effects.compactMap { if case .connect(_, let query) = $0 { query } else { nil } }
    }

    /// The methods of sent requests.
    var asked: [String] { sent.compactMap { $0["method"]?.string } }
}
