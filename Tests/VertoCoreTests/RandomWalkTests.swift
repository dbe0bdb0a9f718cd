import Base
import JSON
import Telephony
import Testing
import VertoCore

/// Lives of lines at hostile servers, each from its seed. `Line.post` checks that no deadline has passed.
@Suite struct RandomWalkTests {
    @Test(arguments: 0..<40) func stateIsBoundedAndEveryCallEndsOnce(_ seed: UInt64) throws {
        var walk = Walk(seed: seed)
        for _ in 0..<1_500 { walk.step() }
        walk.close()
        let session = walk.line.session
        #expect(session.callIDs.isEmpty && session.deadline == nil && session.state == .off)
        #expect(walk.faults.isEmpty, "\(walk.faults.prefix(5))")
        #expect(walk.begun > 20)
    }
}

/// One life: random actions of the owner, the server and the network.
private struct Walk {
    private static let methods = [
        "clientReady", "gatewayState", "ping", "punt", "invite", "ringing", "media", "answer", "display", "bye",
        "modify", "info", "candidate", "endOfCandidates", "attach", "event", "frobnicate",
    ]
    private static let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]

    var line: Line
    var faults: [String] = []
    var begun = 0
    private var generator: SeededGenerator
    private var alive: Set<VertoCallID> = []
    private var steps = 0

    init(seed: UInt64) {
        line = Line(seed.isMultiple(of: 3) ? .freeSWITCH : .telnyx, seed: seed)
        generator = SeededGenerator(seed: seed)
        line.post(.connect)
    }

    private mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[draw(elements.count)] }

    mutating func step() {
        switch draw(12) {
        case 0: line.run(for: .milliseconds(Int64(draw(30_000))))
        case _ where draw(3) == 0 && line.session.state != .ready: comeBack()
        case 1: network()
        case 2, 3, 4: owner()
        case 5, 6, 7: answer()
        default: server()
        }
        judge()
    }

    mutating func close() {
        line.post(.disconnect)
        judge()
        if !alive.isEmpty { faults.append("calls without an end: \(alive)") }
    }

    /// A step towards a line that is ready.
    private mutating func comeBack() {
        switch line.session.state {
        case .off: line.post(.connect)
        case .connecting: if let socket = line.socket { line.post(.opened(socket)) }
        case .authenticating:
            if let login = line.take("login") { line.receive(["id": login["id"] ?? nil, "result": [:]]) }
        case .registering: line.server("gatewayState", ["state": "REGED"])
        case .waiting: if let deadline = line.session.deadline { line.run(for: deadline - line.now) }
        case .ready: break
        }
    }

    private mutating func network() {
        guard let socket = line.socket else { return }
        switch draw(12) {
        case 0: line.post(.pathChanged)
        case 1: line.post(.closed(socket))
        case 2: line.post(.connect)
        case 3: line.post(.credentials(.password(user: "bob", Redacted("p"))))
        default: line.post(.opened(socket))
        }
    }

    private mutating func owner() {
        guard let call = VertoCallID(pick(Self.names)) else { return }
        let candidate = VertoCandidate("candidate:1", mid: "0", lineIndex: 0)
        let commands: [VertoCallCommand] = [
            .invite(VertoInvitation("1", sdp: "o", isTrickled: true)), .answer(sdp: "a", isTrickled: true), .bye(),
            .hold(true), .hold(false), .dtmf(.five), .candidate(candidate), .endOfCandidates, .updateMedia(sdp: "u"),
            .attachAnswer(sdp: "x"), .transfer(to: "3"), .replace(call), .invite(VertoInvitation("2", sdp: "o")),
            .answer(sdp: "a"),
        ]
        let command = pick(commands)
        if case .invite = command, !line.session.callIDs.contains(call), alive.contains(call) {
            faults.append("a call that ended is alive")
        }
        if case .invite = command, line.session.state == .ready, !line.session.callIDs.contains(call),
            line.session.callIDs.count < VertoLimits.calls
        {
            alive.insert(call)
            begun += 1
        }
        line.post(call, command)
    }

    /// Answers one of the requests, sensibly or not.
    private mutating func answer() {
        guard !line.sent.isEmpty else { return }
        let request = line.sent.remove(at: draw(line.sent.count))
        guard request["method"] != nil, let id = request["id"] else { return }
        let results: [JSONValue] = [
            [:], ["holdState": "held"], ["holdState": "active"], ["sdp": "s"], ["params": ["state": "REGED"]],
            ["message": "PONG"], 5, nil, ["sessid": "other"],
        ]
        switch draw(8) {
        case 0: line.receive(["id": id, "error": ["code": .integer(pick([-32_000, -32_002])), "message": "no"]])
        case 1: line.receive(["id": id, "error": pick([5, nil, [:]])])
        default: line.receive(["id": id, "result": pick(results)])
        }
    }

    private mutating func server() {
        let states = VertoGatewayState.allCases.map { JSONValue.string($0.rawValue) }
        var params: [String: JSONValue] = [
            "callID": .string(pick(Self.names)), "state": draw(2) == 0 ? "REGED" : pick(states),
            "reattached_sessions": pick([[], ["a", "b", 5], "a", ["c", "d", "e", "f"]]), "candidate": "candidate:1",
            "cause": pick(["USER_BUSY", "PICKED_OFF", "?", 5]), "causeCode": pick([17, 805, "x"]),
        ]
        if draw(4) > 0 { params["sdp"] = pick(["v=0", "", 5, .string(String(repeating: "s", count: 2_000))]) }
        if draw(10) == 0 { params = [:] }
        let method = pick(Self.methods)
        if method == "punt", draw(5) > 0 { return }
        let frame: JSONValue = [
            "jsonrpc": "2.0", "id": pick([1, "x", nil, 1.5]), "method": .string(line.prefix + method),
            "params": .object(params), "voice_sdk_id": pick(["v", "w", 5]),
        ]
        var text = frame.text
        if draw(6) == 0 { text = String(decoding: mutated(Array(text.utf8)), as: UTF8.self) }
        line.receive(text)
    }

    private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<(1 + draw(4)) {
            let place = draw(bytes.count)
            if draw(2) == 0 { bytes[place] = UInt8(draw(256)) } else { bytes.removeSubrange(place..<bytes.count) }
            if bytes.isEmpty { return [0] }
        }
        return bytes
    }

    /// Each call begins before it ends, and ends once.
    private mutating func judge() {
        if line.effects.count > 300 { faults.append("\(line.effects.count) effects at once") }
        for effect in line.effects {
            guard case .call(let call, let event) = effect else { continue }
            switch event {
            case .incoming:
                if !alive.insert(call).inserted { faults.append("\(call) came twice") }
                begun += 1
            case .turnedAway: break
            case .ended(let end):
                if alive.remove(call) == nil, end.reason != .notReady { faults.append("\(call) ended twice: \(end)") }
            default: if !alive.contains(call) { faults.append("\(call): \(event) after its end") }
            }
        }
        line.effects = []
        if line.sent.count > 40 { line.sent.removeFirst(line.sent.count - 40) }
        line.wire = []
        if Set(line.session.callIDs) != alive { faults.append("\(line.session.callIDs) are not \(alive)") }
        if line.session.callIDs.count > VertoLimits.calls { faults.append("too many calls") }
        steps += 1
        let kept = steps.isMultiple(of: 100) ? line.kept : 0
        if kept > 3_000 { faults.append("\(kept) values are kept") }
    }
}
