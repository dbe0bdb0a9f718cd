import Base
import SDPCore
import SIPCore

extension LineMachine {
    // MARK: A new call

    mutating func offered(_ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant) {
        if let refusal = refusal(of: request, at: now) {
            let why = refusal.isTooOften ? .tooOften : CallRefusal(refusal.status)
            tellRefused(request, because: why, over: flow, at: now)
            return answer(request, refusal, transaction, at: now)
        }
        let offer: SessionDescription?
        do throws(RequestRefusal) { offer = try self.offer(in: request) } catch {
            tellRefused(
                request, because: error.fault.map { CallRefusal($0) } ?? CallRefusal(error.status), over: flow, at: now)
            return answer(request, error, transaction, at: now)
        }
        let early = request.response(.ringing, tag: context.identifiers.makeTag())
        guard let dialog = try? Dialog(receiving: request, sending: early) else {
            tellRefused(request, because: .malformed, over: flow, at: now)
            let refusal = RequestRefusal(.badRequest, SIPWarning(399, "The path to the caller cannot be read"))
            return answer(request, refusal, transaction, at: now)
        }
        offeredCount += 1
        let id = CallID(.line(configuration.id), offeredCount)
        legs[id] = .offered(
            .init(transaction: transaction, request: request, flow: flow, dialog: dialog, offer: offer))
        dialogFlows[id] = DialogFlows(flow)
        remember(request, id, over: flow)
        var caller = caller(request, over: flow, at: now)
        if case .of(let replaced) = replacement(by: request) { caller.replaces = replaced }
        outputs.append(.event(.offered(id, caller)))
    }

    /// Why a call is not offered at all.
    private mutating func refusal(of request: SIPRequest, at now: Instant) -> RequestRefusal? {
        guard !isShuttingDown else { return RequestRefusal(.temporarilyUnavailable) }
        guard !isOwnCall(request) else { return RequestRefusal(.loopDetected) }
        if let refusal = request.refusalOfExtensions() ?? context.refusalOfSession(request) ?? request.refusalOfBody {
            return refusal
        }
        guard request.headers.mayAccept(MediaType.sdp) else { return RequestRefusal(.notAcceptable) }
        if case .refused(let status) = replacement(by: request) { return RequestRefusal(status) }
        guard limits.newCalls.admit(at: now) else { return .tooManyCalls }
        return hasRoom ? nil : RequestRefusal(.busyHere)
    }

    /// Whether there may be one more leg. Without room, the line answers 486 (Busy Here). The phone does so, too, if it
    /// has no room for a call that the line offers (`Transition.whyRefused` in PhoneCore).
    ///
    /// A leg that is leaving does not count. The rate of new calls and the time that a far end has to answer bound the
    /// number of such legs.
    var hasRoom: Bool { legs.values.count { !$0.isLeaving } < configuration.maximumLegs }

    /// Nil: the request has no offer, so we make it.
    private func offer(in request: SIPRequest) throws(RequestRefusal) -> SessionDescription? {
        let body: [UInt8]?
        do throws(BodyFault) { body = try request.body(of: .sdp) } catch { throw RequestRefusal(error.status) }
        guard let body else { return nil }
        let offer: SessionDescription
        do throws(SDPParseError) { offer = try SessionDescription(parsing: body) } catch {
            throw RequestRefusal(.badRequest, error)
        }
        // An offer without media lines gets an answer without any, because a later one may have some (RFC 3264 §5).
        guard !offer.media.isEmpty else { return offer }
        do throws(NegotiationError) { try configuration.media.check(offer) } catch { throw RequestRefusal(error) }
        return offer
    }

    /// Whether our own call came back to us. The transaction layer detects a request that came over two paths (RFC 3261
    /// §8.2.2.2).
    private func isOwnCall(_ request: SIPRequest) -> Bool {
        guard let tag = try? request.headers.from.tag else { return false }
        return legs.values.contains { leg in
            switch leg {
            case .inviting(let inviting): inviting.localTag == tag
            case .locating, .offered, .established, .leaving: false
            }
        }
    }

    // MARK: Answer, refusal, CANCEL

    mutating func answer(_ id: CallID, _ media: MediaEndpoint, awaitingACK: Bool, at now: Instant) {
        guard case .offered(let offered) = legs[id] else { return }
        var negotiation = MediaNegotiation(
            capabilities: configuration.media.showing(media),
            local: MediaAddress(host: offered.flow.local.host, port: media.port), ice: media.ice,
            using: &context.generator)
        var response = offered.response(.ok)
        let contact = context.contact(on: offered.flow)
        context.complete(&response.headers, contact: contact)
        var agreed: Agreement?
        do throws(NegotiationError) {
            if offered.offer?.media.isEmpty == true {
                response.body = negotiation.answerWithoutMedia().bytes
            } else if let offer = offered.offer {
                let answer = try negotiation.answer(to: offer, held: false, using: &context.generator)
                (response.body, agreed) = (answer.description.bytes, answer.agreed)
            } else {
                response.body = negotiation.offer(held: false, isOpen: true, using: &context.generator).bytes
            }
        } catch {
            var refusal = offered.response(.notAcceptableHere)
            refusal.headers.set(.warning, error.warning)
            handle(layer.respond(refusal, to: offered.transaction, at: now), at: now)
            return finish(id, .incompatible, at: now)
        }
        let session = context.answerSession(offered.request, nil, in: &response.headers, at: now)
        var established = Leg.Established(
            dialog: offered.dialog,
            offerAnswer: OfferAnswer(
                negotiation, contact: contact, session: session,
                allowsUpdate: offered.request.headers.allows(.update), isCaller: false, awaitsACK: true, at: now))
        established.dialog.confirm()
        established.takesInfo = offered.request.headers.mayAllow(.info)
        if case .unconfirmed(let progress) = offered.progress {
            established.unconfirmed = progress.acknowledgement
            timers.cancel(.progress(id))
        }
        established.unacknowledged = unacknowledged(response, to: offered.request, offered.transaction, at: now)
        established.untoldAnswer = awaitingACK ? agreed : nil
        established.isUnattended = awaitingACK
        legs[id] = .established(established)
        handle(layer.respond(response, to: offered.transaction, at: now), at: now)
        armSuccess(id)
        if let agreed, !awaitingACK { answered(id, agreed, at: now) }
    }

    mutating func refuse(_ id: CallID, _ refusal: CallRejection, at now: Instant) {
        guard case .offered(let offered) = legs[id] else { return }
        let status: SIPStatus =
            switch refusal {
            case .busy: .busyHere
            case .declined: configuration.declineStatus
            case .noAnswer, .unavailable: .temporarilyUnavailable
            }
        let response = offered.response(status, because: refusal)
        handle(layer.respond(response, to: offered.transaction, at: now), at: now)
        finish(id, EndReason(refusal), at: now)
    }

    mutating func cancelled(_ transaction: ServerTransactionID, by cancel: SIPRequest, at now: Instant) {
        if let request = names.cancel(transaction) { return answer(request, .requestTerminated, transaction, at: now) }
        for (id, leg) in legs {
            guard case .offered(let offered) = leg, offered.transaction == transaction else { continue }
            handle(layer.respond(offered.response(.requestTerminated), to: transaction, at: now), at: now)
            tellEnd(id, (try? cancel.headers.reasons) ?? [])
            return finish(id, cancel.saysAnsweredElsewhere ? .answeredElsewhere : .cancelledThere, at: now)
        }
    }

    // MARK: The 2xx until its ACK

    func unacknowledged(
        _ response: SIPResponse, to request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) -> Leg.Established.Unacknowledged {
        .init(
            transaction: transaction, response: response,
            retransmission: ResponseRetransmission(timers: context.timers, at: now),
            sequence: (try? request.headers.cSeq.number) ?? 0)
    }

    /// Sets the timer of the leg's 2xx according to the leg's state.
    mutating func armSuccess(_ id: CallID) {
        if let due = legs[id]?.unacknowledged?.retransmission.deadline {
            timers.set(.success(id), at: due)
        } else {
            timers.cancel(.success(id))
        }
    }

    mutating func resendSuccess(_ id: CallID, at now: Instant) {
        guard var waiting = legs[id]?.unacknowledged else { return }
        switch waiting.retransmission.deadlineReached(at: now) {
        case .nothing: break
        case .resend: handle(layer.respond(waiting.response, to: waiting.transaction, at: now), at: now)
        case .unacknowledged: return unacknowledged(id, at: now)
        }
        legs[id]?.unacknowledged = waiting
        armSuccess(id)
    }

    /// 64·T1 passed without an ACK, so the call is ended (RFC 3261 §13.3.1.4).
    private mutating func unacknowledged(_ id: CallID, at now: Instant) {
        switch legs[id] {
        case .established(let established): sendBye(id, established.dialog, .unreachable, at: now)
        case .leaving(let leaving):
            guard case .awaitingACK(let established) = leaving.stage else { return }
            sendBye(id, established.dialog, leaving.end, at: now)
        case nil, .locating, .inviting, .offered: break
        }
    }
}

extension Leg {
    /// Our 2xx that waits for its ACK, also when a BYE waits for that ACK.
    var unacknowledged: Established.Unacknowledged? {
        get {
            switch self {
            case .locating, .inviting, .offered: return nil
            case .established(let established): return established.unacknowledged
            case .leaving(let leaving):
                guard case .awaitingACK(let established) = leaving.stage else { return nil }
                return established.unacknowledged
            }
        }
        set {
            switch self {
            case .locating, .inviting, .offered: break
            case .established(var established):
                established.unacknowledged = newValue
                self = .established(established)
            case .leaving(var leaving):
                guard case .awaitingACK(var established) = leaving.stage else { return }
                established.unacknowledged = newValue
                leaving.stage = .awaitingACK(established)
                self = .leaving(leaving)
            }
        }
    }
}

extension SIPRequest {
    /// Whether an offered call ends because another phone of the user answered it (RFC 3326 §2). The telephone network
    /// uses cause 26 of Q.850 for that, "non-selected user clearing".
    var saysAnsweredElsewhere: Bool {
        ((try? headers.reasons) ?? []).contains { reason in
            switch (reason.protocol.uppercased(), reason.cause) {
            case ("SIP", 200), ("Q.850", 26): true
            case (_, _): false
            }
        }
    }
}

extension Leg.Offered {
    /// A response with the tag of the leg's dialog.
    /// - Parameter refusal: Gives the response a Reason, which is more exact than the status. Servers on the path may
    ///   change the status (RFC 6432).
    func response(_ status: SIPStatus, because refusal: CallRejection? = nil) -> SIPResponse {
        var response = request.response(status, tag: dialog.id.localTag)
        if let refusal { response.headers.set(.reason, refusal.reason) }
        return response
    }
}

/// Reliable ringing, for callers that require it (RFC 3262 §3).
///
/// Our 180 has no session description, so an answer need not wait for its PRACK. The PRACK only stops the repetition.
extension LineMachine {
    mutating func alert(_ id: CallID, at now: Instant) {
        guard case .offered(var offered) = legs[id] else { return }
        var response = offered.response(.ringing)
        context.introduce(&response.headers, contact: context.contact(on: offered.flow))
        if offered.request.headers.requires("100rel") {
            guard let progress = reliable(response, offered, at: now) else { return }
            offered.progress = .unconfirmed(progress)
            response = progress.response
        }
        legs[id] = .offered(offered)
        armProgress(id)
        handle(layer.respond(response, to: offered.transaction, at: now), at: now)
    }

    /// Makes the response reliable. Nil if a reliable one was sent already. Nil also if the first reliable response
    /// would have to carry our offer (RFC 3262 §5). Before the answer there is no port to offer, and 100 is enough.
    private mutating func reliable(
        _ response: SIPResponse, _ offered: Leg.Offered, at now: Instant
    ) -> ReliableProgress? {
        guard case .none = offered.progress, offered.offer != nil, let cSeq = try? offered.request.headers.cSeq else {
            return nil
        }
        let sequence = RSeq(UInt32.random(in: 1...CSeq.maximum, using: &context.generator))
        var response = response
        response.headers.set(.require, tokens: ["100rel"])
        response.headers.set(.rSeq, sequence)
        return ReliableProgress(
            transaction: offered.transaction, response: response,
            retransmission: ResponseRetransmission(.provisional, timers: context.timers, at: now),
            acknowledgement: RAck(sequence, of: cSeq))
    }

    /// Sets the timer of the leg's reliable response according to the leg's state.
    private mutating func armProgress(_ id: CallID) {
        if case .offered(let offered) = legs[id], case .unconfirmed(let progress) = offered.progress,
            let due = progress.retransmission.deadline
        {
            timers.set(.progress(id), at: due)
        } else {
            timers.cancel(.progress(id))
        }
    }

    mutating func resendProgress(_ id: CallID, at now: Instant) {
        guard case .offered(var offered) = legs[id], case .unconfirmed(var progress) = offered.progress else { return }
        let outcome = progress.retransmission.deadlineReached(at: now)
        offered.progress = .unconfirmed(progress)
        legs[id] = .offered(offered)
        armProgress(id)
        switch outcome {
        case .nothing: break
        case .resend: handle(layer.respond(progress.response, to: progress.transaction, at: now), at: now)
        case .unacknowledged:
            handle(layer.respond(offered.response(.serverTimeout), to: offered.transaction, at: now), at: now)
            finish(id, .unreachable, at: now)
        }
    }

    /// Answers a PRACK, with a refusal if it matches no waiting response (RFC 3262 §3).
    mutating func confirmedProgress(
        _ id: CallID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) {
        let acknowledgement: RAck
        do throws(SIPParseError) {
            acknowledgement = try request.headers.required(.rAck)
        } catch {
            return answer(request, .badRequest, transaction, at: now)
        }
        guard legs[id]?.confirm(acknowledgement) == true else {
            return answer(request, .callDoesNotExist, transaction, at: now)
        }
        timers.cancel(.progress(id))
        // The offer of the INVITE is still unanswered, so the PRACK may not make another one (RFC 3262 §5).
        answer(request, request.body.isEmpty ? .ok : .notAcceptableHere, transaction, at: now)
    }
}

extension Leg {
    /// Accepts the PRACK for our reliable response.
    /// - Returns: Whether a response with this number waits for it.
    fileprivate mutating func confirm(_ acknowledgement: RAck) -> Bool {
        switch self {
        case .offered(var offered):
            guard case .unconfirmed(let progress) = offered.progress, progress.acknowledgement == acknowledgement
            else { return false }
            offered.progress = .confirmed
            self = .offered(offered)
        case .established(var established):
            guard established.unconfirmed == acknowledgement else { return false }
            established.unconfirmed = nil
            self = .established(established)
        case .locating, .inviting, .leaving: return false
        }
        return true
    }
}

/// Our reliable provisional response (RFC 3262 §3).
struct ReliableProgress: Sendable {
    var transaction: ServerTransactionID
    var response: SIPResponse
    var retransmission: ResponseRetransmission
    /// The RAck that its PRACK carries.
    var acknowledgement: RAck
}
