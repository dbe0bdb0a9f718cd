import Base
import SIPCore

/// Digits by INFO (RFC 6086), for far ends that take no telephone events.
extension LineMachine {
    /// Elements that may wait for those before them.
    public static let toneLimit = 64
    /// The shortest and the longest that a digit sounds or a pause lasts.
    static let toneTime: ClosedRange<Int> = 40...10_000
    /// Between two digits.
    private static let toneGap = 50

    /// The digits of a leg that wait.
    struct ToneQueue: Equatable, Sendable {
        var waiting: [LineTone] = []
        /// The digit that is out and has no answer.
        var out: LineTone?
        /// When the digit that is out has sounded.
        var isFree = Instant.zero
    }

    // MARK: Sending

    /// One INFO is out at a time: two may overtake each other, and a number with its digits changed is another number.
    mutating func sendTones(_ id: LegID, _ tones: [LineTone], at now: Instant) {
        guard legs[id] != nil, !tones.isEmpty else { return }
        let before = self.tones[id]?.waiting ?? []
        guard case .established(let established) = legs[id], established.takesInfo,
            before.count + tones.count <= Self.toneLimit
        else { return outputs.append(.tonesSent(id, unsent: tones)) }
        let isIdle = self.tones[id] == nil
        self.tones[id, default: ToneQueue()].waiting += tones
        if isIdle { sendNextTone(id, at: now) }
    }

    mutating func sendNextTone(_ id: LegID, at now: Instant) {
        guard var queue = tones[id], case .established(var established) = legs[id] else { return forgetTones(of: id) }
        guard !queue.waiting.isEmpty else {
            forgetTones(of: id)
            return outputs.append(.tonesSent(id, unsent: []))
        }
        let next = queue.waiting.removeFirst()
        switch next {
        case .pause(let milliseconds):
            tones[id] = queue
            timers.set(.tone(id), at: now + .milliseconds(Self.held(milliseconds)))
        case .digit(let symbol, let milliseconds):
            let time = Self.held(milliseconds)
            queue.isFree = now + .milliseconds(time + Self.toneGap)
            queue.out = next
            tones[id] = queue
            var request = established.dialog.request(.info)
            legs[id] = .established(established)
            request.headers[.contentType] = ToneReport.relay
            request.body = ToneReport.body(symbol, milliseconds: time)
            send(request, in: established.dialog, .info(id), at: now)
        }
    }

    private static func held(_ milliseconds: Int) -> Int {
        min(max(milliseconds, toneTime.lowerBound), toneTime.upperBound)
    }

    /// The far end has a digit, or takes none: then it is not told the rest.
    mutating func toneAnswered(_ id: LegID, isTaken: Bool, at now: Instant) {
        guard var queue = tones[id], case .established(var established) = legs[id] else { return }
        guard isTaken else {
            established.takesInfo = false
            legs[id] = .established(established)
            forgetTones(of: id)
            return outputs.append(.tonesSent(id, unsent: (queue.out.map { [$0] } ?? []) + queue.waiting))
        }
        queue.out = nil
        tones[id] = queue
        timers.set(.tone(id), at: max(now, queue.isFree))
    }

    mutating func forgetTones(of id: LegID) {
        tones[id] = nil
        timers.cancel(.tone(id))
    }

    // MARK: Receiving

    mutating func informed(_ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant) {
        guard legs[id]?.isLeaving == false else { return answer(request, .callDoesNotExist, transaction, at: now) }
        // A package is agreed on with the call, and we agree on none (RFC 6086 §4.2.2).
        guard !request.headers.contains(.infoPackage) else {
            var response = request.response(.badInfoPackage, tag: identifiers.makeTag())
            response.headers[.recvInfo] = ""
            return handle(layer.respond(response, to: transaction, at: now), at: now)
        }
        guard !request.body.isEmpty else { return answer(request, .ok, transaction, at: now) }
        guard let type = (try? request.headers.contentType)?.name, [ToneReport.relay, ToneReport.plain].contains(type)
        else { return refuse(request, accepting: [ToneReport.relay, ToneReport.plain], transaction, at: now) }
        guard let report = ToneReport(request.body, type: type) else {
            return answer(request, .badRequest, transaction, at: now)
        }
        guard heardTones.admit(at: now) else { return answer(request, .serviceUnavailable, transaction, at: now) }
        answer(request, .ok, transaction, at: now)
        if case .digit(let symbol) = report { outputs.append(.toneHeard(id, symbol)) }
    }

    /// 415, with what would have been taken (RFC 3261 §21.4.13).
    mutating func refuse(
        _ request: SIPRequest, accepting types: [String], _ transaction: ServerTransactionID, at now: Instant
    ) {
        var response = request.response(.unsupportedMediaType, tag: identifiers.makeTag())
        response.headers.set(.accept, tokens: types)
        handle(layer.respond(response, to: transaction, at: now), at: now)
    }
}

extension SIPHeaderName {
    fileprivate static let infoPackage = SIPHeaderName("Info-Package")
    fileprivate static let recvInfo = SIPHeaderName("Recv-Info")
}

extension SIPStatus {
    fileprivate static let badInfoPackage = SIPStatus(469)
}
