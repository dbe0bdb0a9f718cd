import Base
import JSON
import Telephony
import VertoCore

/// A Verto session, or a whole line, with up to 200 inputs, one in each line: frames, results and errors for requests,
/// the owner's requests, and time. The first byte chooses session or line, and the dialect.
func fuzzVerto(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let dialect = first & 1 == 0 ? VertoDialect.telnyx : .freeSWITCH
    let lines = input.dropFirst().split(separator: UInt8(ascii: "\n")).prefix(200)
    if first & 2 == 0 {
        var life = FuzzedVerto(dialect)
        for line in lines { life.take(line) }
        life.end()
    } else {
        var life = FuzzedVertoLine(dialect)
        for line in lines { life.take(line) }
        life.end()
    }
}

private struct FuzzedVerto: VertoFuzz {
    static let turnLimit = 5_000
    private static let password = "swordfish"

    private var session: VertoSession
    private var socket: VertoSocketID?
    var asked: [JSONValue] = []
    /// The calls that have begun and have not ended.
    private var alive: Set<VertoCallID> = []
    var now = Instant.zero

    init(_ dialect: VertoDialect) {
        session = VertoSession(
            .init(dialect, agent: "fuzz"), .password(user: "alice", Redacted(Self.password)),
            generator: SeededGenerator(seed: 5))
        post(.connect)
    }

    mutating func connect() { post(.connect) }
    mutating func disconnect() { post(.disconnect) }
    mutating func opened() { if let socket { post(.opened(socket)) } }
    mutating func notFound() { closed() }
    mutating func closed() { if let socket { post(.closed(socket)) } }
    mutating func changePath() { post(.pathChanged) }

    mutating func end() {
        run(for: .seconds(30))
        post(.disconnect)
        precondition(session.deadline == nil && session.state == .off, "an unused line continues")
        precondition(alive.isEmpty, "a call without an end")
    }

    // MARK: Server and owner

    mutating func receive(_ text: String) {
        if let socket { post(.received(text, socket)) }
    }

    /// A letter for the command, and the name of the call.
    mutating func command(_ rest: ArraySlice<UInt8>) {
        guard let letter = rest.first, let call = VertoCallID(String(decoding: rest.dropFirst(), as: UTF8.self)) else {
            return
        }
        let candidate = VertoCandidate("candidate:1", mid: "0", lineIndex: 0)
        let commands: [VertoCallCommand] = [
            .invite(VertoInvitation("1", sdp: "offer", isTrickled: true)), .answer(sdp: "answer", isTrickled: true),
            .bye(), .hold(true), .hold(false), .dtmf(.one), .candidate(candidate), .endOfCandidates,
            .updateMedia(sdp: "offer"), .attachAnswer(sdp: "answer"), .bye(.callRejected),
        ]
        let command = commands[Int(letter) % commands.count]
        if case .invite = command, session.state == .ready, session.callIDs.count < VertoLimits.calls {
            alive.insert(call)
        }
        post(.call(call, command))
    }

    // MARK: Running

    var deadline: Instant? { session.deadline }
    mutating func passDeadline() { post(.deadline) }

    private mutating func post(_ event: VertoSession.Event) {
        let effects = session.handle(event, at: now)
        precondition(effects.count <= 300, "\(effects.count) effects at once")
        if let deadline = session.deadline { precondition(deadline > now, "a deadline that has passed") }
        for effect in effects {
            precondition(!"\(effect)".contains(Self.password), "a secret in a word")
            switch effect {
            case .connect(let socket, _): self.socket = socket
            case .send(let frame): sent(frame.text.reveal())
            case .call(let call, let event): judge(call, event)
            case .text(let text):
                precondition(text.body.utf8.count <= VertoLimits.textBytes, "a text without an end")
            case .disconnect, .state, .messagesWaiting, .watched: break
            }
        }
        precondition(Set(session.callIDs) == alive, "unreported calls")
        precondition(alive.count <= VertoLimits.calls, "more calls than there is room for")
    }

    private mutating func sent(_ text: String) {
        guard let frame = try? JSONValue(parsing: text) else { preconditionFailure("a frame is JSON") }
        sent(frame)
    }

    private mutating func judge(_ call: VertoCallID, _ event: VertoCallEvent) {
        switch event {
        case .incoming: precondition(alive.insert(call).inserted, "a call came twice")
        case .turnedAway: break
        case .ended(let end):
            precondition(alive.remove(call) != nil || end.reason == .notReady, "a call ended twice")
        case .created, .ringing, .earlyMedia, .answered, .connected, .display, .held, .holdFailed, .dtmfSent,
            .dtmfFailed, .candidate, .endOfCandidates, .mediaUpdated, .mediaUpdateFailed, .transferred, .transferFailed,
            .recovering, .attachOffered,
            .reoffered, .reattached:
            precondition(alive.contains(call), "something of a call that is not there")
        }
    }
}
