import Base
import SIPCore

/// Digits by INFO (RFC 6086), for far ends that take no telephone events.
extension LineMachine {
    /// Elements that may wait for those before them.
    public static let dtmfLimit = 64

    /// The digits of a leg that wait.
    struct DTMFQueue: Equatable, Sendable {
        var waiting: [DTMFElement] = []
        /// The digit that is out and has no answer.
        var out: DTMFElement?
        /// When the digit that is out has sounded.
        var isFree = Instant.zero
    }

    // MARK: Sending

    /// One INFO is out at a time: two may overtake each other, and a number with its digits changed is another number.
    mutating func sendDTMF(_ id: LegID, _ elements: [DTMFElement], at now: Instant) {
        guard legs[id] != nil, !elements.isEmpty else { return }
        let before = dtmf[id]?.waiting ?? []
        guard case .established(let established) = legs[id], established.takesInfo,
            before.count + elements.count <= Self.dtmfLimit
        else { return outputs.append(.dtmfSent(id, unsent: elements)) }
        let isIdle = dtmf[id] == nil
        dtmf[id, default: DTMFQueue()].waiting += elements
        if isIdle { sendNextDTMF(id, at: now) }
    }

    mutating func sendNextDTMF(_ id: LegID, at now: Instant) {
        guard var queue = dtmf[id], case .established(var established) = legs[id] else { return forgetDTMF(of: id) }
        guard !queue.waiting.isEmpty else {
            forgetDTMF(of: id)
            return outputs.append(.dtmfSent(id, unsent: []))
        }
        let next = queue.waiting.removeFirst()
        switch next {
        case .pause:
            dtmf[id] = queue
            timers.set(.dtmf(id), at: now + DTMFTiming.pause)
        case .symbol(let symbol):
            queue.isFree = now + DTMFTiming.info + DTMFTiming.gap
            queue.out = next
            dtmf[id] = queue
            var request = established.dialog.request(.info)
            legs[id] = .established(established)
            request.headers[.contentType] = DTMFInfoBody.relay
            request.body = DTMFInfoBody.body(symbol, duration: DTMFTiming.info)
            send(request, in: established.dialog, .info(id), at: now)
        }
    }

    /// The far end has a digit, or takes none: then it is not told the rest.
    mutating func infoAnswered(_ id: LegID, isTaken: Bool, at now: Instant) {
        guard var queue = dtmf[id], case .established(var established) = legs[id] else { return }
        guard isTaken else {
            established.takesInfo = false
            legs[id] = .established(established)
            forgetDTMF(of: id)
            return outputs.append(.dtmfSent(id, unsent: (queue.out.map { [$0] } ?? []) + queue.waiting))
        }
        queue.out = nil
        dtmf[id] = queue
        timers.set(.dtmf(id), at: max(now, queue.isFree))
    }

    mutating func forgetDTMF(of id: LegID) {
        dtmf[id] = nil
        timers.cancel(.dtmf(id))
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
        guard let type = (try? request.headers.contentType)?.name,
            [DTMFInfoBody.relay, DTMFInfoBody.plain].contains(type)
        else { return refuse(request, accepting: [DTMFInfoBody.relay, DTMFInfoBody.plain], transaction, at: now) }
        guard let report = DTMFInfoBody(request.body, type: type) else {
            return answer(request, .badRequest, transaction, at: now)
        }
        guard dtmfRate.admit(at: now) else { return answer(request, .serviceUnavailable, transaction, at: now) }
        answer(request, .ok, transaction, at: now)
        if case .digit(let symbol) = report { outputs.append(.dtmfReceived(id, symbol)) }
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
