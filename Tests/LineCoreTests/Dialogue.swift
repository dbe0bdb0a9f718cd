import Base
import Foundation
import LineCore
import SDPCore
import SIPCore

/// A conversation between an account and its server, as a text that a person can read beside a trace.
///
/// Steps begin in the first column, and lines of a message are indented below their step.
///
/// `account USER [PROTECTION] [watching NUMBER…]` starts a phone that registers.
///
/// `phone WHAT` takes the phone's next message: a method, or a status. The message has each indented line, and lacks the
/// lines behind `!`.
///
/// `server WHAT` sends a message. A status answers the phone's last request of the method behind it. A method is a request
/// in the last dialog of that kind, or outside a dialog with `outside`. Indented lines are headers and, after an empty line, the
/// body.
///
/// `do COMMAND` is a person: `dial NUMBER`, `answer`, `hold`, `resume`, `hang up`, `transfer NUMBER`. `do wait SECONDS`
/// lets time pass until the phone sends something. The server answers keep-alives by OPTIONS.
///
/// `shows TEXT` takes the next report of the line with this text in its description.
///
/// `silence SECONDS` lets time pass, in which the phone sends nothing.
///
/// `{server}` and `{phone}` are the addresses.
struct Dialogue {
    struct Failure: Error, CustomStringConvertible {
        let line: Int
        let what: String
        var description: String { "line \(line): \(what)" }
    }

    private struct Step {
        let line: Int
        let words: [String]
        var message: [String] = []
        var rest: String { words.dropFirst().joined(separator: " ") }
    }

    private static let server = Stranger(World.serverEndpoint)
    private static let fingerprint = CertificateFingerprint(digest: .init(repeating: 0xA1, count: 32))

    private let steps: [Step]
    private var world = World()
    /// How many of the phone's messages and reports were taken.
    private var (taken, reported) = (0, 0)
    /// What the server sent.
    private var served: [[UInt8]] = []
    /// How many keep-alives were answered.
    private var keptAlive = 0
    private var requests: [SIPRequest] = []
    private var responses: [SIPResponse] = []
    /// The CSeq of the server's last request.
    private var sequence: UInt32 = 100
    private var leg = CallID(.phone, 0)
    private var calls: UInt32 = 0
    private var called: UInt32 = 0

    init(_ text: String) {
        var steps: [Step] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("    ") {
                steps[steps.count - 1].message.append(String(line.dropFirst(4)))
            } else if line.isEmpty {
                if !steps.isEmpty { steps[steps.count - 1].message.append("") }
            } else {
                steps.append(Step(line: index + 1, words: line.split(separator: " ").map(String.init)))
            }
        }
        self.steps = steps
    }

    mutating func play() throws {
        for step in steps {
            switch step.words[0] {
            case "account": start(step)
            case "phone": try expectMessage(step)
            case "server": try send(step)
            case "do": try act(step)
            case "shows": try expectReport(step)
            case "silence": try pass(step)
            default: throw Failure(line: step.line, what: "unknown step \(step.words[0])")
            }
        }
        try expectNothingMore()
    }

    private func filled(_ text: String) -> String {
        text.replacing("{server}", with: World.serverEndpoint.host).replacing("{phone}", with: World.endpoint(0).host)
    }

    // MARK: The phone

    private mutating func start(_ step: Step) {
        let host = World.serverEndpoint.host
        var line = LineConfiguration(
            user: step.words[1],
            account: .init(
                domain: host, server: NextHop(host: host, port: 5_060, transport: .udp), password: Redacted("word")))
        line.media.protection = step.words.count > 2 ? ProtectionPolicy(named: step.words[2]) : .off
        line.media.fingerprint = Self.fingerprint
        if let place = step.words.firstIndex(of: "watching") {
            line.watches = step.words[(place + 1)...].map { .number($0) }
        }
        world.add(line)
        world.run(.milliseconds(100))
    }

    private mutating func act(_ step: Step) throws {
        let media = MediaEndpoint(port: 4_000, fingerprint: Self.fingerprint.digest)
        switch step.words[1] {
        case "dial":
            calls += 1
            leg = CallID(.phone, calls)
            world.command(0, .dial(leg, target: step.words[2], account: .direct, media))
        case "answer": world.command(0, .answer(leg, media, awaitingACK: false))
        case "hold": world.command(0, .hold(leg, true))
        case "resume": world.command(0, .hold(leg, false))
        case "transfer": world.command(0, .transfer(leg, to: filled(step.words[2])))
        case "hang": world.command(0, .end(leg))
        case "wait":
            let end = world.now + .seconds(Int(step.words[2]) ?? 0)
            while world.now < end, taken == sent.count { elapse() }
        default: throw Failure(line: step.line, what: "unknown command \(step.words[1])")
        }
        world.run(.milliseconds(100))
    }

    /// What the phone sent, in its order, without keep-alives. The network may reorder it.
    private var sent: [[UInt8]] {
        world.carried.map(\.bytes).filter { bytes in
            guard !served.contains(bytes) else { return false }
            return switch try? SIPMessage(bytes.span) {
            case .request(let request): request.method != .options
            case .response: true
            case nil: false
            }
        }
    }

    private mutating func serve(_ bytes: [UInt8]) {
        served.append(bytes)
        world.receive(bytes, from: Self.server)
    }

    /// A moment in which the server answers what keeps the flow alive.
    private mutating func elapse() {
        world.run(.milliseconds(500))
        let options = world.caughtRequests.filter { $0.method == .options }
        for request in options[keptAlive...] { serve(request.response(.ok, tag: "server").bytes) }
        keptAlive = options.count
    }

    private mutating func expectMessage(_ step: Step) throws {
        guard taken < sent.count else { throw Failure(line: step.line, what: "the phone sends nothing") }
        let bytes = sent[taken]
        taken += 1
        let text = String(decoding: bytes, as: UTF8.self)
        switch try SIPMessage(bytes.span) {
        case .request(let request):
            guard step.words[1] == "\(request.method)" else {
                throw Failure(line: step.line, what: "the phone sends\n\(text)")
            }
            requests.append(request)
        case .response(let response):
            guard step.words[1] == "\(response.status.code)" else {
                throw Failure(line: step.line, what: "the phone answers\n\(text)")
            }
            responses.append(response)
        }
        let lines = text.components(separatedBy: "\r\n")
        for line in step.message.map(filled) where !line.isEmpty {
            let isForbidden = line.hasPrefix("!")
            let wanted = isForbidden ? String(line.dropFirst()) : line
            guard lines.contains(where: { $0.hasPrefix(wanted) }) != isForbidden else {
                throw Failure(line: step.line, what: "\(isForbidden ? "has" : "lacks") \(wanted)\n\(text)")
            }
        }
    }

    private mutating func expectReport(_ step: Step) throws {
        let reports = world.outputs(0).map { "\($0)" }
        guard let place = reports[reported...].firstIndex(where: { $0.contains(step.rest) }) else {
            throw Failure(line: step.line, what: "the line reports only \(reports[reported...])")
        }
        reported = place + 1
    }

    private mutating func pass(_ step: Step) throws {
        let end = world.now + .seconds(Int(step.words[1]) ?? 0)
        while world.now < end { elapse() }
        try expectNothingMore()
    }

    private func expectNothingMore() throws {
        guard taken == sent.count else {
            let more = String(decoding: sent[taken], as: UTF8.self)
            throw Failure(line: 0, what: "the phone sends more: \(more)")
        }
    }

    // MARK: The server

    private mutating func send(_ step: Step) throws {
        let message = step.message.map(filled)
        let end = message.firstIndex(of: "") ?? message.count
        let headers = message[..<end].map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop(while: { $0 == " " }) }
            return (SIPHeaderName(String(describing: parts[0])), parts.count > 1 ? String(describing: parts[1]) : "")
        }
        var body = Array(message[min(end + 1, message.count)...])
        while body.last == "" { body.removeLast() }
        let text = body.isEmpty ? "" : body.joined(separator: "\r\n") + "\r\n"
        if let status = Int(step.words[1]) {
            try respond(step, status, headers, text)
        } else {
            try ask(step, headers, text)
        }
    }

    private mutating func respond(
        _ step: Step, _ status: Int, _ headers: [(SIPHeaderName, String)], _ body: String
    ) throws {
        guard let request = requests.last(where: { "\($0.method)" == step.words[2] }) else {
            throw Failure(line: step.line, what: "the phone sent no \(step.words[2])")
        }
        let tag = (try? request.headers.to.tag) ?? nil
        var response = request.response(SIPStatus(status), tag: tag == nil && status > 100 ? "server" : nil)
        for (name, value) in headers { response.headers[name] = value }
        response.body = Array(body.utf8)
        serve(response.bytes)
    }

    private mutating func ask(_ step: Step, _ headers: [(SIPHeaderName, String)], _ body: String) throws {
        let method = SIPMethod(step.words[1])
        sequence += 1
        let opens = step.words.contains("outside")
        if opens { called += 1 }
        var request = Self.server.request(
            method, sequence: sequence, branch: "z9hG4bK-server-\(sequence)", body: body)
        request.headers[.callID] = "server-\(called)"
        request.headers[.from] = "<sip:pbx@\(World.serverEndpoint.host)>;tag=server-\(called)"
        if !opens { try place(&request, step) }
        for (name, value) in headers { request.headers[name] = value }
        if method == .ack { request.headers[.cSeq] = "\(sequence - 1) ACK" }
        if opens { leg = CallID(.line(.direct), called) }
        serve(request.bytes)
        world.run(.milliseconds(100))
    }

    /// Puts a request into the dialog of the phone's last INVITE or SUBSCRIBE, or of the last call to the phone.
    private func place(_ request: inout SIPRequest, _ step: Step) throws {
        let kind = request.method == .notify ? SIPMethod.subscribe : .invite
        if let own = requests.last(where: { $0.method == kind }), leg.origin == .phone || kind == .subscribe {
            request.headers[.callID] = own.headers[.callID]
            request.headers[.to] = own.headers[.from]
            let to = own.headers[.to] ?? ""
            request.headers[.from] = to.contains("tag=") ? to : to + ";tag=server"
        } else if let own = responses.last(where: { (try? $0.headers.to.tag) != nil }) {
            request.headers[.callID] = own.headers[.callID]
            request.headers[.to] = own.headers[.to]
            request.headers[.from] = own.headers[.from]
        } else {
            throw Failure(line: step.line, what: "there is no dialog")
        }
    }
}

extension ProtectionPolicy {
    fileprivate init(named name: String) {
        self = ["dtls": .dtls, "mandatory": .mandatory, "offered": .offered][name] ?? .off
    }
}
