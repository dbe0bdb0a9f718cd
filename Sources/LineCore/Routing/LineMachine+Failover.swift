import Base
import SIPCore

/// Tries a failed request over another flow (RFC 3263 §4.3).
extension LineMachine {
    enum Failure: Equatable, Sendable {
        /// 503: this server is overloaded or about to stop.
        case refused
        case silent
        case unsent
    }

    /// The size reserved for the Via that a request gets when it is sent.
    private static let viaBytes = 160

    /// The flow that a request takes. A request that is too long for a datagram takes a stream to the same server (RFC
    /// 3261 §18.1.1).
    func carrier(of request: SIPRequest, over flow: Flow) -> Flow {
        guard flow.transport == .udp, request.bytes.count + Self.viaBytes > SIPLimits.datagram,
            routing.mayStream(to: flow.remote)
        else { return flow }
        return Flow(.tcp, local: flow.local, remote: flow.remote)
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
    func server(for leg: LegID) -> Flow? {
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
            guard case .inviting(var inviting) = legs[leg], !inviting.hasRung, failed.flow.local.host == flow.local.host
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
