import Base
import SIPCore

/// Digits by INFO (RFC 6086), for far ends that accept no telephone events.
extension LineMachine {
    /// The most elements that may wait to be sent.
    public static let dtmfLimit = 64

    mutating func handle(_ effects: [DTMFQueues.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .info(let leg, let symbol): sendInfo(leg, symbol, at: now)
            case .sent(let leg, let unsent): outputs.append(.event(.dtmfSent(leg, unsent: unsent)))
            }
        }
    }

    // MARK: Sending

    mutating func sendDTMF(_ id: CallID, _ elements: [DTMFElement], at now: Instant) {
        guard let leg = legs[id] else { return }
        var isTaken = false
        if case .established(let established) = leg { isTaken = established.takesInfo }
        handle(dtmf.send(elements, in: id, isTaken: isTaken, at: now), at: now)
    }

    private mutating func sendInfo(_ id: CallID, _ symbol: DTMFSymbol, at now: Instant) {
        guard case .established(var established) = legs[id] else { return dtmf.forget(id) }
        var request = established.dialog.request(.info)
        legs[id] = .established(established)
        request.headers[.contentType] = DTMFInfoBody.relay
        request.body = DTMFInfoBody.body(symbol, duration: DTMFTiming.info)
        send(request, in: established.dialog, .info(id), at: now)
    }

    /// The far end accepted a digit, or it does not accept digits.
    mutating func infoAnswered(_ id: CallID, isTaken: Bool, at now: Instant) {
        guard case .established(var established) = legs[id] else { return }
        guard !isTaken else { return dtmf.taken(in: id, at: now) }
        established.takesInfo = false
        legs[id] = .established(established)
        handle(dtmf.refused(in: id), at: now)
    }

    // MARK: Receiving

    mutating func informed(_ id: CallID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant) {
        guard legs[id]?.isLeaving == false else { return answer(request, .callDoesNotExist, transaction, at: now) }
        // Info packages are agreed on at call setup, and we support none (RFC 6086 §4.2.2).
        guard !request.headers.contains(.infoPackage) else {
            var response = request.response(.badInfoPackage, tag: context.identifiers.makeTag())
            response.headers[.recvInfo] = ""
            return handle(layer.respond(response, to: transaction, at: now), at: now)
        }
        guard !request.body.isEmpty else { return answer(request, .ok, transaction, at: now) }
        // Some devices omit the type.
        let type = (try? request.headers.contentType)?.name ?? DTMFInfoBody.relay
        guard [DTMFInfoBody.relay, DTMFInfoBody.plain].contains(type) else {
            return answer(
                request, .unsupportedMediaType(accepting: [DTMFInfoBody.relay, DTMFInfoBody.plain]), transaction,
                at: now)
        }
        guard let report = DTMFInfoBody(request.body, type: type) else {
            return answer(request, .badRequest, transaction, at: now)
        }
        guard limits.dtmf.admit(at: now) else { return answer(request, .serviceUnavailable, transaction, at: now) }
        answer(request, .ok, transaction, at: now)
        if case .digit(let symbol) = report { outputs.append(.event(.dtmfReceived(id, symbol))) }
    }
}

extension SIPHeaderName {
    fileprivate static let infoPackage = SIPHeaderName("Info-Package")
    fileprivate static let recvInfo = SIPHeaderName("Recv-Info")
}

extension SIPStatus {
    fileprivate static let badInfoPackage = SIPStatus(469)
}

/// Digits that wait to be sent by INFO, one queue for each leg. A leg sends one INFO at a time, because two INFOs could
/// overtake each other and change the number.
struct DTMFQueues: Sendable {
    enum Effect: Equatable, Sendable {
        case info(CallID, DTMFSymbol)
        /// The digits were sent and their sounding time is over, except `unsent`.
        case sent(CallID, unsent: [DTMFElement])
    }

    private struct Queue: Equatable {
        var waiting: [DTMFElement] = []
        /// The digit that was sent and has no answer yet.
        var out: DTMFElement?
        /// When the digit that was sent last, and the gap after it, are over.
        var isFree = Instant.zero
    }

    private var queues: [CallID: Queue] = [:]
    /// When the next digit of a leg may be sent.
    private var timers = DeadlineTable<CallID>()

    var deadline: Instant? { timers.earliest }

    mutating func deadlineReached(at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let leg = timers.popDue(at: now) { effects += next(leg, at: now) }
        return effects
    }

    /// - Parameter isTaken: Whether the far end may accept digits by INFO.
    mutating func send(_ elements: [DTMFElement], in leg: CallID, isTaken: Bool, at now: Instant) -> [Effect] {
        guard !elements.isEmpty else { return [] }
        let before = queues[leg]?.waiting ?? []
        guard isTaken, before.count + elements.count <= LineMachine.dtmfLimit else {
            return [.sent(leg, unsent: elements)]
        }
        let isIdle = queues[leg] == nil
        queues[leg, default: Queue()].waiting += elements
        return isIdle ? next(leg, at: now) : []
    }

    private mutating func next(_ leg: CallID, at now: Instant) -> [Effect] {
        guard var queue = queues[leg] else { return [] }
        guard !queue.waiting.isEmpty else {
            forget(leg)
            return [.sent(leg, unsent: [])]
        }
        let next = queue.waiting.removeFirst()
        switch next {
        case .pause:
            queues[leg] = queue
            timers.set(leg, at: now + DTMFTiming.pause)
            return []
        case .symbol(let symbol):
            queue.isFree = now + DTMFTiming.info + DTMFTiming.gap
            queue.out = next
            queues[leg] = queue
            return [.info(leg, symbol)]
        }
    }

    /// The far end accepted the digit.
    mutating func taken(in leg: CallID, at now: Instant) {
        guard var queue = queues[leg] else { return }
        queue.out = nil
        queues[leg] = queue
        timers.set(leg, at: max(now, queue.isFree))
    }

    /// The far end accepts no digits, so the rest is not sent.
    mutating func refused(in leg: CallID) -> [Effect] {
        guard let queue = queues[leg] else { return [] }
        forget(leg)
        return [.sent(leg, unsent: (queue.out.map { [$0] } ?? []) + queue.waiting)]
    }

    /// Drops the digits of a leg without a report.
    mutating func forget(_ leg: CallID) {
        queues[leg] = nil
        timers.cancel(leg)
    }
}

/// A digit in the body of an INFO, in the two forms that switches and phones use. No RFC defines either of them:
///
///     Content-Type: application/dtmf-relay        Content-Type: application/dtmf
///
///     Signal=5                                    5
///     Duration=160
enum DTMFInfoBody: Equatable, Sendable {
    case digit(DTMFSymbol)
    /// A hook flash, which is no digit.
    case other

    static let relay = "application/dtmf-relay"
    static let plain = "application/dtmf"
    /// The longest body that is read, in bytes.
    static let limit = 256

    /// Nil for a body that does not match its type.
    init?(_ body: [UInt8], type: String) {
        guard body.count <= Self.limit, let text = String(validating: body.filter { $0 != 0 }, as: UTF8.self) else {
            return nil
        }
        let lines = text.split { $0.isNewline || $0 == ";" }.map(\.trimmed).filter { !$0.isEmpty }
        let signals = lines.map { Self.field($0) }.filter { $0.name == "signal" }
        // Some devices confuse the two types.
        if signals.isEmpty, lines.count == 1 || type == Self.plain {
            self.init(written: lines.first ?? "")
        } else {
            guard signals.count == 1 else { return nil }
            self.init(written: signals[0].value)
        }
    }

    private init?(written text: Substring) {
        if let symbol = DTMFSymbol(written: text) ?? Self.names[text.lowercased()] ?? nil {
            self = .digit(symbol)
        } else if text == "!" || text.lowercased() == "flash" || text == "16" {
            self = .other
        } else {
            return nil
        }
    }

    private static let names = ["star": DTMFSymbol("*"), "pound": DTMFSymbol("#"), "hash": DTMFSymbol("#")]

    /// `name=value`. A colon may be in place of the equals sign, and the value in quotes. Another field may follow after
    /// a space.
    private static func field(_ line: Substring) -> (name: String, value: Substring) {
        let parts = line.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "=" || $0 == ":" }
        let name = (parts.first ?? "").trimmed.lowercased()
        let value = (parts.count == 2 ? parts[1] : "").split { $0 == " " || $0 == "\t" || $0 == "\"" }.first
        return (name, value ?? "")
    }

    /// The body for a digit.
    static func body(_ symbol: DTMFSymbol, duration: Duration) -> [UInt8] {
        Array("Signal=\(symbol.character)\r\nDuration=\(Int(duration.milliseconds))\r\n".utf8)
    }
}

extension DTMFSymbol {
    /// Reads the digit itself, or its event code of RFC 4733 §3.2. Peers write both.
    init?(written text: some StringProtocol) {
        if text.count == 1, let character = text.first {
            self.init(character)
        } else if text.utf8.count == 2, let event = UInt8(text) {
            self.init(rawValue: event)
        } else {
            return nil
        }
    }
}
