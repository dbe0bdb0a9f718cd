import Base
import SIPCore

/// Passes requests and responses to the dialogs, calls and subscriptions that they belong to.
extension LineMachine {
    // MARK: Requests

    mutating func receive(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant) {
        if waitsForAddress(.request(request, id), over: flow, at: now) { return }
        receiveLocated(request, id, over: flow, at: now)
    }

    /// Handles a request whose description, if it has one, has an address.
    mutating func receiveLocated(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant) {
        guard let dialog = try? Dialog.ID(request) else {
            return receiveOutside(request, id, over: flow, at: now)
        }
        guard let leg = leg(of: dialog) else {
            if request.method == .notify, subscriptions.owns(dialog) {
                return notified(dialog, request, id, over: flow, at: now)
            }
            if request.method == .notify { return notifiedElsewhere(request, id, over: flow, at: now) }
            return answer(request, .callDoesNotExist, id, at: now)
        }
        // The far end has left the call, whatever else its BYE says. A call that stays up would hold the line.
        if request.method == .bye { return receivedBye(leg, request, id, at: now) }
        do throws(Dialog.Fault) {
            try legs[leg]?.takeInOrder(request)
        } catch {
            switch error {
            case .outOfOrder: return answer(request, .serverInternalError, id, at: now)
            case .malformed: return answer(request, .badRequest, id, at: now)
            }
        }
        if let refusal = request.refusalOfExtensions() { return answer(request, refusal, id, at: now) }
        switch request.method {
        case .invite:
            identify(leg, by: request, over: flow)
            reoffered(leg, request, id, over: flow, at: now)
        case .info: informed(leg, request, id, at: now)
        case .refer: receivedReferral(leg, request, id, over: flow, at: now)
        case .notify where request.isAboutTransfer: transferTold(leg, request, id, at: now)
        case .update:
            identify(leg, by: request, over: flow)
            updated(leg, request, id, over: flow, at: now)
        case .prack: confirmedProgress(leg, request, id, at: now)
        default: receiveOther(request, id, over: flow, at: now)
        }
    }

    private mutating func receiveOutside(
        _ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        // RFC 3261 §8.2.2.1.
        if case .other = request.uri {
            if request.method == .invite {
                tellRefused(request, because: CallRefusal(.unsupportedURIScheme), over: flow, at: now)
            }
            return answer(request, .unsupportedURIScheme, id, at: now)
        }
        if request.method == .invite { return offered(request, id, over: flow, at: now) }
        if let refusal = request.refusalOfExtensions() { return answer(request, refusal, id, at: now) }
        switch request.method {
        case .bye, .info, .prack, .update: answer(request, .callDoesNotExist, id, at: now)
        case .refer: receivedReferralOutside(request, id, over: flow, at: now)
        default: receiveOther(request, id, over: flow, at: now)
        }
    }

    private mutating func receiveOther(
        _ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        switch request.method {
        case .options: answer(request, .ok, id, at: now)
        case .notify: notified(request, id, over: flow, at: now)
        case .message: messaged(request, id, over: flow, at: now)
        case .info, .publish, .refer, .register, .subscribe:
            answer(request, .methodNotAllowed, id, at: now)
        default: answer(request, SIPStatus(501), id, at: now)
        }
    }

    /// Answers a request. Some responses also carry our capabilities (RFC 3261 §8.2.1, §11.2).
    mutating func answer(
        _ request: SIPRequest, _ status: SIPStatus, _ id: ServerTransactionID, at now: Instant
    ) {
        var response = request.response(status, tag: context.identifiers.makeTag())
        let isWelcome = request.method == .options && status.isSuccess
        if isWelcome || status == .methodNotAllowed || status.code == 501 {
            response.headers.set(.allow, tokens: Self.allowed.map(\.name))
            response.headers.set(.accept, tokens: SIPRequest.acceptedBodies)
            response.headers.set(.supported, tokens: Self.extensions)
        }
        handle(layer.respond(response, to: id, at: now), at: now)
    }

    mutating func answer(
        _ request: SIPRequest, _ refusal: RequestRefusal, _ id: ServerTransactionID, at now: Instant
    ) {
        let response = request.response(refusal, tag: context.identifiers.makeTag())
        // Requests that come too often may be forged, and a refusal that is repeated until its ACK would multiply them.
        let isFlood = refusal.isTooOften
        handle(
            isFlood ? layer.respondOnce(response, to: id, at: now) : layer.respond(response, to: id, at: now), at: now)
    }

    /// Answers 500 while another offer is under way. The far end tries again after a random number of seconds (RFC 3261
    /// §14.2, RFC 3311 §5.2).
    mutating func askToWait(_ request: SIPRequest, _ id: ServerTransactionID, at now: Instant) {
        var response = request.response(.serverInternalError, tag: context.identifiers.makeTag())
        response.headers.set(.retryAfter, RetryAfter(seconds: UInt32.random(in: 0...10, using: &context.generator)))
        handle(layer.respond(response, to: id, at: now), at: now)
    }

    /// Handles a MESSAGE.
    private mutating func messaged(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant) {
        if let refusal = request.refusalOfExtensions(knowing: []) { return answer(request, refusal, id, at: now) }
        do throws(RequestRefusal) {
            let text = try texts.receive(request, at: now)
            // The 200 means that the text has arrived. It has no Contact, because a MESSAGE begins no dialog (RFC 3428
            // §7).
            answer(request, .ok, id, at: now)
            if let text { outputs.append(.event(.text(caller(request, over: flow, at: now), text))) }
        } catch {
            answer(request, error, id, at: now)
        }
    }

    func leg(of dialog: Dialog.ID) -> CallID? { legs.first { $0.value.owns(dialog) }?.key }

    // MARK: Responses

    mutating func receive(
        _ response: SIPResponse, to id: ClientTransactionID, over flow: Flow, at now: Instant
    ) {
        if waitsForAddress(.response(response, id), over: flow, at: now) { return }
        receiveLocated(response, to: id, over: flow, at: now)
    }

    /// Handles a response whose description, if it has one, has an address.
    mutating func receiveLocated(
        _ response: SIPResponse, to id: ClientTransactionID, over flow: Flow, at now: Instant
    ) {
        guard let request = sent[id] else { return }
        guard !request.isSuperseded else { return succeededLate(id, response, at: now) }
        if response.status.isSuccess { learn(from: request, over: flow) }
        if !response.status.isFinal || response.status.isSuccess, let leg = request.purpose.identifies {
            identify(leg, by: response, over: flow)
        }
        switch (request.purpose, response.status.isProvisional, response.status.isSuccess) {
        case (.invite(let leg), true, _): progressed(leg, request.request, response, at: now)
        case (.reinvite(let leg), true, _): changeProgressed(leg, request.request, response, at: now)
        case (.update, true, _), (.prack, true, _), (.bye, true, _), (.info, true, _), (.strayBye, true, _),
            (.orphanBye, true, _), (.refer, true, _), (.notify, true, _), (.subscribe, true, _),
            (.register, true, _), (.unregister, true, _), (.options, true, _):
            break
        case (.invite, _, true), (.reinvite, _, true): succeeded(id, response, at: now)
        case (.update(let leg), _, true):
            sent[id] = nil
            refreshed(leg, response, to: request.request, at: now)
        case (.prack, _, true): sent[id] = nil
        case (.bye(let leg), _, true):
            sent[id] = nil
            byeAnswered(leg, at: now)
        case (.info(let leg), _, true):
            sent[id] = nil
            infoAnswered(leg, isTaken: true, at: now)
        case (.strayBye, _, true): sent[id] = nil
        case (.refer(let leg), _, true):
            sent[id] = nil
            referAnswered(leg, response, to: request.request, at: now)
        case (.notify(let leg), _, true):
            sent[id] = nil
            newsSaid(leg, isHeard: true, at: now)
        case (.subscribe(let watch), _, true):
            sent[id] = nil
            let effects = subscriptions.accepted(
                watch, response, to: request.request, over: flow, in: &context, at: now)
            handle(effects, at: now)
        case (.orphanBye(let number), _, true): endOrphanBye(number)
        case (.register(let number), _, true):
            sent[id] = nil
            authentication.registered(response, to: request.request)
            handle(registration.accepted(number, response, home: routing.home, in: &context, at: now), at: now)
        case (.options(let number), _, true):
            sent[id] = nil
            handle(registration.heardOptions(number, response, in: &context, at: now), at: now)
        case (.unregister(let number), _, true):
            sent[id] = nil
            handle(registration.unregistered(number), at: now)
        case (_, false, false):
            sent[id] = nil
            failed(request, response, over: flow, at: now)
        }
    }

    /// Handles a final response that is not a success. A challenge is answered, and any other response ends the
    /// request.
    private mutating func failed(
        _ request: SentRequest, _ response: SIPResponse, over flow: Flow, at now: Instant
    ) {
        if response.status == .unauthorized || response.status == .proxyAuthenticationRequired,
            answerChallenge(response, to: request, over: flow, at: now)
        {
            return
        }
        // The server does not challenge calls itself, so the 401 before the probe came from the far end.
        let response = request.isProbe && response.status == .tooManyHops ? SIPResponse(.unauthorized) : response
        if response.status == .serviceUnavailable, retry(request, .refused, at: now) { return }
        if response.status == .sessionIntervalTooSmall, lengthenSession(response, request, at: now) { return }
        switch request.purpose {
        case .invite(let leg): rejected(leg, response, at: now)
        case .reinvite(let leg), .update(let leg):
            change(leg, at: now) { $0.rejected(response, context: &$1, at: now) }
        case .bye(let leg): byeAnswered(leg, at: now)
        case .info(let leg): infoAnswered(leg, isTaken: false, at: now)
        // If the far end does not know its own reliable response, it will refuse the INVITE, too.
        case .prack, .strayBye: break
        case .refer(let leg): handle(transfers.failed(in: leg), at: now)
        case .notify(let leg): newsSaid(leg, isHeard: false, at: now)
        case .subscribe(let target): handle(subscriptions.rejected(target, response, in: &context, at: now), at: now)
        case .orphanBye(let number): endOrphanBye(number)
        case .register(let number):
            handle(registration.rejected(number, response, because: fault, in: &context, at: now), at: now)
        case .unregister(let number): handle(registration.unregistered(number), at: now)
        case .options(let number): handle(registration.heardOptions(number, response, in: &context, at: now), at: now)
        }
    }

    /// Gives up a request that got no final response, or that could not be sent.
    mutating func unanswered(_ id: ClientTransactionID, _ silence: Silence, at now: Instant) {
        guard let request = sent.removeValue(forKey: id) else { return }
        guard !retry(request, silence == .silent ? .silent : .unsent, at: now) else { return }
        unanswered(request.purpose, silence, at: now)
    }

    mutating func unanswered(_ purpose: Purpose, _ silence: Silence, at now: Instant) {
        switch purpose {
        case .invite(let leg):
            switch legs[leg] {
            case .locating: finish(leg, .unreachable, at: now)
            case .inviting(let inviting):
                if !inviteElsewhere(leg, inviting.invitation, orEnd: .unreachable, at: now) {
                    finish(leg, .unreachable, at: now)
                }
            case .leaving(let leaving): finish(leg, leaving.end, at: now)
            case nil, .offered, .established: break
            }
        case .reinvite(let leg), .update(let leg):
            change(leg, at: now) { offerAnswer, _ in offerAnswer.unanswered(silence, at: now) }
        case .bye(let leg): byeAnswered(leg, at: now)
        case .info(let leg): infoAnswered(leg, isTaken: false, at: now)
        case .prack, .strayBye: break
        case .refer(let leg): handle(transfers.failed(in: leg), at: now)
        case .notify(let leg): newsSaid(leg, isHeard: false, at: now)
        case .subscribe(let target): handle(subscriptions.unanswered(target, in: &context, at: now), at: now)
        case .orphanBye(let number): endOrphanBye(number)
        case .register(let number): registrationFailed(number, otherwise: "the server does not answer", at: now)
        case .unregister(let number): handle(registration.unregistered(number), at: now)
        // The keep-alive of the flow times out before the transaction does.
        case .options: break
        }
    }
}

extension Leg {
    /// Checks a far end's request against the order of the leg's dialog.
    fileprivate mutating func takeInOrder(_ request: SIPRequest) throws(Dialog.Fault) {
        switch self {
        case .locating: break
        case .inviting(var inviting):
            guard let id = try? Dialog.ID(request) else { return }
            try inviting.early[id.remoteTag]?.dialog.receive(request)
            self = .inviting(inviting)
        case .offered(var offered):
            try offered.dialog.receive(request)
            self = .offered(offered)
        case .established(var established):
            try established.dialog.receive(request)
            self = .established(established)
        case .leaving: break
        }
    }
}

/// The extensions of RFC 3261 that this line supports, and its answers to requests that require others.
extension LineMachine {
    static let allowed: [SIPMethod] = [
        .invite, .ack, .cancel, .bye, .options, .notify, .info, .message, .refer, .prack, .update,
    ]

    /// The options of RFC 3262, RFC 4028, RFC 3891, RFC 4488 and RFC 4538.
    static let extensions = ["100rel", "timer", "replaces", "norefersub", "tdialog"]
}

extension LineContext {
    /// Writes our Contact and our capabilities, for every request and response that makes or renews a dialog (RFC 3261
    /// §13.2.1, RFC 3311 §5).
    func introduce(_ headers: inout SIPHeaders, contact: NameAddress) {
        headers.set(.contact, contact)
        headers.set(.allow, tokens: LineMachine.allowed.map(\.name))
        headers.set(.supported, tokens: LineMachine.extensions)
        headers[.userAgent] = configuration.userAgent
    }

    /// Writes the headers that an INVITE and its 2xx have besides those of the dialog (RFC 3261 §13.2.1).
    func complete(_ headers: inout SIPHeaders, contact: NameAddress) {
        introduce(&headers, contact: contact)
        headers.set(.contentType, MediaType.sdp)
    }
}

extension SIPRequest {
    /// Refuses a request that requires unknown extensions. Nil if it requires none.
    /// - Parameter known: The extensions that make sense in such a request.
    func refusalOfExtensions(knowing known: [String] = LineMachine.extensions) -> RequestRefusal? {
        let unknown = headers.options(.require).filter { !known.contains($0.lowercased()) }
        return unknown.isEmpty ? nil : .badExtension(unknown)
    }
}

extension SIPHeaders {
    /// The option tags of a header. Empty if it is malformed.
    fileprivate func options(_ name: SIPHeaderName) -> [String] { (try? tokens(name)) ?? [] }

    func requires(_ option: String) -> Bool { options(.require).contains { $0.lowercased() == option } }

    /// Whether the sender supports an option. A sender that requires an option also supports it, even if its Supported
    /// omits it.
    func supports(_ option: String) -> Bool {
        requires(option) || options(.supported).contains { $0.lowercased() == option }
    }

    func allows(_ method: SIPMethod) -> Bool { options(.allow).contains(method.name) }

    /// Whether a response may have a body of this type. Without Accept, a session description is allowed. An Accept
    /// that does not list the type forbids it (RFC 3261 §20.1).
    func mayAccept(_ type: MediaType) -> Bool {
        guard contains(.accept), let accepted = try? list(.accept, of: MediaType.self) else { return true }
        let family = type.name.prefix { $0 != "/" } + "/*"
        return accepted.contains { range in
            (range.name == type.name || range.name == family || range.name == "*/*")
                && !["0", "0.0", "0.00", "0.000"].contains(range.parameters["q"])
        }
    }

    /// Whether the sender may support a method. A sender without Allow may support any (RFC 3261 §20.5).
    func mayAllow(_ method: SIPMethod) -> Bool { !contains(.allow) || allows(method) }
}
