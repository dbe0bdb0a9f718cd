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
            case .sent(let leg, let unsent): outputs.append(.dtmfSent(leg, unsent: unsent))
            }
        }
    }

    // MARK: Sending

    mutating func sendDTMF(_ id: LegID, _ elements: [DTMFElement], at now: Instant) {
        guard let leg = legs[id] else { return }
        var isTaken = false
        if case .established(let established) = leg { isTaken = established.takesInfo }
        handle(dtmf.send(elements, in: id, isTaken: isTaken, at: now), at: now)
    }

    private mutating func sendInfo(_ id: LegID, _ symbol: DTMFSymbol, at now: Instant) {
        guard case .established(var established) = legs[id] else { return dtmf.forget(id) }
        var request = established.dialog.request(.info)
        legs[id] = .established(established)
        request.headers[.contentType] = DTMFInfoBody.relay
        request.body = DTMFInfoBody.body(symbol, duration: DTMFTiming.info)
        send(request, in: established.dialog, .info(id), at: now)
    }

    /// The far end accepted a digit, or it does not accept digits.
    mutating func infoAnswered(_ id: LegID, isTaken: Bool, at now: Instant) {
        guard case .established(var established) = legs[id] else { return }
        guard !isTaken else { return dtmf.taken(in: id, at: now) }
        established.takesInfo = false
        legs[id] = .established(established)
        handle(dtmf.refused(in: id), at: now)
    }

    // MARK: Receiving

    mutating func informed(_ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant) {
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
        if case .digit(let symbol) = report { outputs.append(.dtmfReceived(id, symbol)) }
    }
}

extension SIPHeaderName {
    fileprivate static let infoPackage = SIPHeaderName("Info-Package")
    fileprivate static let recvInfo = SIPHeaderName("Recv-Info")
}

extension SIPStatus {
    fileprivate static let badInfoPackage = SIPStatus(469)
}
