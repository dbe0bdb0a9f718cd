import Base
import SDPCore
import SIPCore

extension LineMachine {
    // MARK: Locating the hop

    mutating func send(_ matter: Waiting.Matter, to hop: NextHop?, at now: Instant) {
        guard let hop, let asked = routing.search(hop, for: matter, using: &context.generator, at: now) else {
            return fail(matter, at: now)
        }
        outputs += asked
    }

    /// Sends a request inside a dialog: to its first route, else to the far end's Contact.
    mutating func send(_ request: SIPRequest, in dialog: Dialog, _ purpose: Purpose, at now: Instant) {
        send(.request(request, purpose), to: hop(of: dialog), at: now)
    }

    /// The next hop of a dialog. If its address names no transport, calls stay on the account's transport, so that TLS
    /// traffic does not also go in clear.
    ///
    /// It is the account's server if the far end names no reachable address.
    func hop(of dialog: Dialog) -> NextHop? {
        let leg = leg(of: dialog.id)
        if let server = webSocketServer { return server }
        if let leg, dialogFlows[leg]?.goesThroughServer == true { return configuration.account?.server }
        return NextHop(dialog.nextHop)?.otherwise(leg.map { usualTransport(of: $0) } ?? usualTransport)
            ?? configuration.account?.server
    }

    /// The server of an account that uses a WebSocket. It is the next hop of every request, whatever its route says.
    /// The connection to it is the only way out, and a route or a Contact may name `.invalid` (RFC 7118 appendix B.1).
    var webSocketServer: NextHop? {
        configuration.account.flatMap { $0.server.transport.isWebSocket ? $0.server : nil }
    }

    /// The transport of a call whose addresses name none: the account's transport. On the direct line it is TLS if the
    /// call was set up over TLS.
    func usualTransport(of id: CallID) -> Flow.Transport? {
        usualTransport ?? (dialogFlows[id]?.isSecure == true ? .tls : nil)
    }

    /// Nil: DNS chooses the transport.
    var usualTransport: Flow.Transport? {
        guard configuration.account != nil else { return nil }
        return registration.living.first?.transport ?? accountTransport ?? configuration.transport
    }

    mutating func located(_ hop: NextHop, _ found: [Flow], at now: Instant) {
        let isHome = hop == configuration.account?.server
        // The first flow to the account's server sets the weakest transport that the line accepts from then on. If
        // that was TLS, later processes require it, too. So an attacker who forges answers of DNS, or blocks TLS,
        // cannot move an account to a weaker transport.
        let weakest = accountTransport ?? (isHome ? found.first?.transport : nil)
        let safe = found.filter { flow in weakest.map(flow.transport.mayReplace) ?? true }
        // A server that DNS no longer finds can still be reached over the flows on which we are registered.
        let known = isHome && found.isEmpty && fault == nil ? registration.living : []
        if isHome, safe.isEmpty, !found.isEmpty {
            fault = "the name service no longer offers \(accountTransport?.name ?? "this transport") for the server"
            if accountTransport?.isSecure == true { report(.weakerTransport, at: now) }
        }
        let (flows, ready) = routing.located(
            hop, safe, preferring: registration.living, isHome: isHome, at: now)
        for matter in ready {
            let usable = flows.isEmpty ? known.filter { isOwn($0, of: matter) } : flows
            guard let flow = usable.first(where: { mayCarry(matter, over: $0) }) else {
                if found.isEmpty { fail(matter, at: now) } else { failUnsafe(matter, at: now) }
                continue
            }
            switch matter {
            case .invite(let leg): invite(leg, over: flow, at: now)
            case .request(let request, let purpose): send(request, purpose, over: flow, at: now)
            case .acknowledgement(let ack, let id, let tag): acknowledge(ack, of: id, tag, over: flow, at: now)
            case .register(let number): handle(registration.register(number, by: usable, in: context), at: now)
            case .change(let leg): offer(leg, over: flow, at: now)
            case .orphanBye(let number): sendOrphanBye(number, at: now)
            case .subscribe(let target): handle(subscriptions.subscribe(target, over: flow, in: &context), at: now)
            }
        }
    }

    /// False if this is the flow of another registration than the one to renew.
    private func isOwn(_ flow: Flow, of matter: Waiting.Matter) -> Bool {
        if case .register(let number) = matter { registration.mayTake(flow, number) } else { true }
    }

    /// Whether a flow is as safe as the call whose keys it will carry.
    private func mayCarry(_ matter: Waiting.Matter, over flow: Flow) -> Bool {
        switch matter {
        case .change(let leg): dialogFlows[leg]?.allows(flow.transport) ?? true
        case .invite, .request, .acknowledgement, .register, .orphanBye, .subscribe: true
        }
    }

    /// Ends a call whose far end can only be reached over a transport that the account, or the call, does not use. The
    /// BYE, which holds no secret, goes over the account's server.
    private mutating func failUnsafe(_ matter: Waiting.Matter, at now: Instant) {
        let server = registration.living.first ?? routing.home.first
        switch (matter, server) {
        case (.request(let request, .bye(let leg)), let server?): send(request, .bye(leg), over: server, at: now)
        case (.request(let request, .strayBye), let server?): send(request, .strayBye, over: server, at: now)
        case (.acknowledgement(let ack, let id, let tag), let server?):
            let leg = sent[id]?.purpose.leg
            acknowledge(ack, of: id, tag, over: server, at: now)
            if let leg, legs[leg]?.dialog?.id.remoteTag == tag { end(leg, .insecurePath, at: now) }
        case (.request(_, let purpose), _):
            guard let leg = purpose.leg else { return fail(matter, at: now) }
            end(leg, .insecurePath, at: now)
        case (.change(let leg), _): end(leg, .insecurePath, at: now)
        case (.register(let number), _): registrationFailed(number, otherwise: nil, at: now)
        case (.invite, _), (.subscribe, _), (.orphanBye, _), (.acknowledgement, _): fail(matter, at: now)
        }
    }

    private mutating func fail(_ matter: Waiting.Matter, at now: Instant) {
        switch matter {
        case .invite(let leg):
            if case .locating(let invitation) = legs[leg],
                inviteElsewhere(leg, invitation, orEnd: .unreachable, at: now)
            {
                return
            }
            finish(leg, .unreachable, at: now)
        case .request(_, let purpose): unanswered(purpose, .unsent, at: now)
        // Without the ACK the far end sends BYE itself (RFC 3261 §13.3.1.4).
        case .acknowledgement: break
        case .register(let number): registrationFailed(number, otherwise: nil, at: now)
        case .change(let leg): change(leg, at: now) { offerAnswer, _ in offerAnswer.notLocated(at: now) }
        case .subscribe(let target): handle(subscriptions.unanswered(target, in: &context, at: now), at: now)
        // The far end may be reachable even if the account's server is not.
        case .orphanBye(let number): sendOrphanBye(number, at: now)
        }
    }

    // MARK: Requests

    /// The size reserved for the Via that a request gets when it is sent.
    private static let viaBytes = 160

    /// Sends a request. It has credentials if it registers, or if it was challenged.
    ///
    /// - Returns: Its transaction. Nil if no transaction is free; the failure is already reported then.
    @discardableResult
    mutating func send(
        _ request: SIPRequest, _ purpose: Purpose, over flow: Flow, challenges: Int = 0, at now: Instant
    ) -> ClientTransactionID? {
        var request = request
        if !purpose.registers, configuration.account != nil {
            request.preload(registration.serviceRoutes(over: flow))
        }
        if isOwnServer(flow) { authentication.authorize(&request, for: purpose, challenges: challenges) }
        // A request that is too long for a datagram takes a stream to the same server (RFC 3261 §18.1.1). Routes and
        // credentials are what makes it too long, so they are added first.
        let isTooLong = flow.transport == .udp && request.byteCount + Self.viaBytes > SIPLimits.datagram
        let needsStream = isTooLong && routing.mayStream(to: flow.remote)
        let carrier = needsStream ? Flow(.tcp, local: flow.local, remote: flow.remote) : flow
        do throws(TransactionLayer.Full) {
            let (id, effects) = try layer.send(request, over: carrier, at: now)
            sent[id] = SentRequest(
                purpose: purpose, request: request, flow: carrier, datagramFlow: carrier == flow ? nil : flow,
                challenges: challenges)
            if let leg = purpose.leg, legs[leg] != nil { dialogFlows[leg, default: DialogFlows(carrier)].add(carrier) }
            handle(effects, at: now)
            return id
        } catch {
            unanswered(purpose, .unsent, at: now)
            return nil
        }
    }

    /// Gives up the outstanding requests of a purpose.
    mutating func abandon(_ purpose: Purpose) {
        for id in sent.filter({ $0.value.purpose == purpose }).keys {
            sent[id] = nil
            layer.abandon(id)
        }
    }

    /// Sends the ACK of a 2xx and keeps it, because every repetition of the 2xx needs it again.
    ///
    /// RFC 3261 §22.1 gives the ACK the credentials of its INVITE, for the proxies that checked them. If the ACK
    /// bypasses those proxies and goes directly to the far end, the credentials only help a far end to guess the
    /// password.
    private mutating func acknowledge(
        _ ack: SIPRequest, of id: ClientTransactionID, _ tag: String, over flow: Flow, at now: Instant
    ) {
        var ack = ack
        if flow.remote != sent[id]?.flow.remote {
            ack.headers[.authorization] = nil
            ack.headers[.proxyAuthorization] = nil
        }
        let effect = layer.acknowledge(ack, over: flow)
        if let leg = sent[id]?.purpose.leg, legs[leg] != nil { dialogFlows[leg, default: DialogFlows(flow)].add(flow) }
        sent[id]?.acknowledgements[tag] = .some(effect)
        handle([effect], at: now)
    }

    // MARK: Sending again

    /// Sends a request in another form, or over another flow, in place of the one that failed.
    ///
    /// - Parameter flow: Nil: the flow of the failed request.
    mutating func resend(
        _ again: SIPRequest, for failed: SentRequest, over flow: Flow? = nil, challenges: Int, isProbe: Bool = false,
        at now: Instant
    ) {
        let flow = flow ?? failed.datagramFlow ?? failed.flow
        guard let id = send(again, failed.purpose, over: flow, challenges: challenges, at: now) else { return }
        sent[id]?.repetitions = failed.repetitions + 1
        sent[id]?.isProbe = isProbe
        switch (failed.purpose, failed.purpose.leg.flatMap { legs[$0] }) {
        case (.invite(let leg), .inviting(var inviting)):
            inviting.transaction = id
            // The early dialogs of the first INVITE do not belong to this one.
            inviting.early = [:]
            legs[leg] = .inviting(inviting)
        case (.reinvite(let leg), .established(var established)):
            established.offerAnswer.repeated()
            legs[leg] = .established(established)
        case (.invite, _), (.reinvite, _), (.update, _), (.prack, _), (.bye, _), (.info, _), (.strayBye, _),
            (.orphanBye, _), (.register, _), (.unregister, _), (.refer, _), (.notify, _), (.subscribe, _),
            (.options, _):
            break
        }
    }

    /// The same request with the next CSeq (RFC 3261 §22.2). Nil if its leg has ended.
    mutating func again(_ sent: SentRequest) -> SIPRequest? {
        var request = sent.request
        guard let number = nextSequence(after: sent) else { return nil }
        request.headers.set(.cSeq, CSeq(number, request.method))
        request.headers.set(.maxForwards, SIPNumber(SIPRequest.hops))
        return request
    }

    private mutating func nextSequence(after sent: SentRequest) -> UInt32? {
        let next = (try? sent.request.headers.cSeq.number).map { $0 + 1 }
        switch (sent.purpose, sent.purpose.leg.flatMap { legs[$0] }) {
        case (.register, _), (.unregister, _):
            return registration.nextSequence()
        case (.invite, .inviting), (.orphanBye, _): return next
        case (.subscribe(let watch), _):
            subscriptions.skipSequence(of: watch)
            return next
        case (.prack(let leg, let tag), .inviting(var inviting)):
            _ = inviting.early[tag]?.dialog.request(.prack)
            legs[leg] = .inviting(inviting)
            return inviting.early[tag]?.dialog.localSequence
        case (.bye(let leg), .leaving(var leaving)):
            guard case .bye(var dialog) = leaving.stage else { return nil }
            _ = dialog.request(.bye)
            leaving.stage = .bye(dialog)
            legs[leg] = .leaving(leaving)
            return dialog.localSequence
        case (.reinvite(let leg), .established(var established)), (.update(let leg), .established(var established)),
            (.prack(let leg, _), .established(var established)), (.info(let leg), .established(var established)),
            (.refer(let leg), .established(var established)), (.notify(let leg), .established(var established)):
            _ = established.dialog.request(sent.request.method)
            legs[leg] = .established(established)
            if sent.purpose == .refer(leg) { transfers.repeated(in: leg, sequence: established.dialog.localSequence) }
            return established.dialog.localSequence
        case (.invite, _), (.reinvite, _), (.update, _), (.prack, _), (.bye, _), (.info, _), (.strayBye, _),
            (.refer, _), (.notify, _), (.options, _):
            return nil
        }
    }
}

extension Purpose {
    var registers: Bool {
        switch self {
        case .register, .unregister: true
        case .invite, .reinvite, .update, .prack, .bye, .info, .strayBye, .refer, .notify, .subscribe, .orphanBye,
            .options:
            false
        }
    }

    var leg: CallID? {
        switch self {
        case .invite(let leg), .reinvite(let leg), .update(let leg), .prack(let leg, _), .bye(let leg),
            .info(let leg), .refer(let leg), .notify(let leg):
            leg
        case .strayBye, .orphanBye, .register, .unregister, .subscribe, .options: nil
        }
    }
}

/// Tries a failed request over another flow (RFC 3263 §4.3).
extension LineMachine {
    enum Failure: Equatable, Sendable {
        /// 503: this server is overloaded or about to stop.
        case refused
        case silent
        case unsent
    }

    /// Sends a failed request again over another flow to the same hop, if another flow exists. False: the request
    /// failed for good.
    mutating func retry(_ failed: SentRequest, _ failure: Failure, at now: Instant) -> Bool {
        // OPTIONS only tests this flow. Its keep-alive decides when the flow is dead.
        if case .options = failed.purpose { return false }
        if let datagram = failed.datagramFlow, failure == .unsent {
            routing.refusedStream(datagram.remote)
            return send(again: failed, over: datagram, at: now)
        }
        let flow = failed.datagramFlow ?? failed.flow
        routing.failed(flow, at: now)
        let others = routing.beside(flow)
        switch failed.purpose {
        case .register(let number):
            guard let next = others.first(where: { registration.mayTake($0, number) }) else { return false }
            handle(registration.register(number, over: next, in: context), at: now)
            return true
        // A binding at one server need not be removed at another.
        case .unregister, .options: return false
        case .invite, .reinvite, .update, .prack, .bye, .info, .strayBye, .refer, .notify, .subscribe, .orphanBye:
            return (others.first ?? wayThroughServer(failed)).map { send(again: failed, over: $0, at: now) } ?? false
        }
    }

    /// The account's server, for a request inside a call that did not reach the address in the far end's Contact. Some
    /// servers and far ends name an address that cannot be reached from here. The server has carried the call so far,
    /// so the rest of the call goes there, too.
    private mutating func wayThroughServer(_ failed: SentRequest) -> Flow? {
        guard let leg = failed.purpose.leg, (try? failed.request.headers.to)?.tag != nil, !isOwnServer(failed.flow),
            let server = server(for: leg)
        else { return nil }
        dialogFlows[leg]?.goesThroughServer = true
        return server
    }

    /// The flow to the account's server, if it is as safe as the call.
    func server(for leg: CallID) -> Flow? {
        guard configuration.account != nil, let flow = registration.living.first ?? routing.home.first,
            dialogFlows[leg]?.allows(flow.transport) ?? true
        else { return nil }
        return flow
    }

    private mutating func send(again failed: SentRequest, over flow: Flow, at now: Instant) -> Bool {
        var request = failed.request
        request.unload()
        if case .invite(let leg) = failed.purpose {
            // The offer names the address at which we receive media, so the other flow must have the same local
            // address.
            guard case .inviting(var inviting) = legs[leg], !inviting.hasRung,
                failed.flow.local.address == flow.local.address
            else { return false }
            inviting.contact = context.contact(on: flow)
            request.headers.set(.contact, inviting.contact)
            legs[leg] = .inviting(inviting)
        }
        // If no transaction is free, `resend` has already reported the failure.
        resend(request, for: failed, over: flow, challenges: failed.challenges, at: now)
        return true
    }
}

extension SIPRequest {
    /// A first request to the account's server takes the route that the server gave in its response to REGISTER (RFC
    /// 3608 §5).
    mutating func preload(_ routes: [NameAddress]) {
        guard !routes.isEmpty, !headers.contains(.route), (try? headers.to)?.tag == nil else { return }
        headers.set(.route, routes)
    }

    /// Removes that route, because another flow has another route.
    fileprivate mutating func unload() {
        guard (try? headers.to)?.tag == nil else { return }
        headers[.route] = nil
    }
}
