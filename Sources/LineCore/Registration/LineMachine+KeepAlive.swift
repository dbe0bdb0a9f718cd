import Base
import ICECore
import SIPCore

/// Keep-alives, ours and others' (RFC 5626 §4.4, §5.4).
extension LineMachine {
    // MARK: Ours

    /// The server knows us over this flow: it is kept. Only where there is a registration is there something to keep.
    mutating func keep(
        _ number: RegisteredFlow.Number, over flow: Flow, as response: SIPResponse, at now: Instant
    ) {
        let flowTimer = (try? response.headers.flowTimer) ?? nil
        let offers = response.saysOutbound || flowTimer != nil
        guard registration[number]?.keeper?.flow != flow else { return }
        let keeper = FlowKeeper(flow, flowTimer: flowTimer, isPromised: offers, at: now, using: &generator)
        keep(number, by: keeper, .rest, at: now)
    }

    mutating func stopKeeping(_ number: RegisteredFlow.Number) {
        registration[number]?.keeper = nil
        timers.cancel(.keepAlive(number))
    }

    mutating func keepAliveDue(_ number: RegisteredFlow.Number, at now: Instant) {
        guard var keeper = registration[number]?.keeper else { return }
        let verdict = keeper.deadlineReached(at: now, using: &generator)
        keep(number, by: keeper, verdict, at: now)
    }

    /// Does what a keeper has come to.
    private mutating func keep(
        _ number: RegisteredFlow.Number, by keeper: FlowKeeper, _ verdict: FlowKeeper.Verdict, at now: Instant
    ) {
        registration[number]?.keeper = keeper
        timers.set(.keepAlive(number), at: keeper.deadline)
        switch verdict {
        case .send(let bytes): outputs.append(.send(bytes, keeper.flow))
        case .rest: break
        case .dead: flowDied(number, at: now)
        }
    }

    // MARK: What comes that is no SIP

    /// Takes line breaks and STUN. False: it is a message.
    mutating func receivedKeepAlive(_ bytes: [UInt8], over flow: Flow, at now: Instant) -> Bool {
        if bytes.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            if let known = registration.flows.first(where: { $0.keeper?.flow == flow }), var keeper = known.keeper {
                keeper.heardLineBreak(at: now, using: &generator)
                keep(known.number, by: keeper, .rest, at: now)
            }
            return true
        }
        guard flow.transport == .udp, STUNMessage.mayBegin(bytes) else { return false }
        guard uses(flow.transport) else {
            outputs.append(.strayKeepAlive)
            return true
        }
        do throws(STUNError) {
            if !received(try STUNMessage(bytes.span), over: flow, at: now) { outputs.append(.strayKeepAlive) }
        } catch {
            outputs.append(.strayKeepAlive)
        }
        return true
    }

    /// Whether it was of any use.
    private mutating func received(_ message: STUNMessage, over flow: Flow, at now: Instant) -> Bool {
        switch message.kind {
        case .request:
            // The answer is longer than the question: it goes to nobody whose address may be another's.
            guard accepts(flow), let address = IPAddress(flow.remote.host), stunAnswers.admit(at: now),
                let answer = message.answer(to: TransportAddress(address, flow.remote.port))
            else { return false }
            outputs.append(.send(answer.bytes, flow))
            return true
        case .success, .failure:
            guard let known = registration.flows.first(where: { $0.keeper?.flow.remote == flow.remote }),
                var keeper = known.keeper, let verdict = keeper.heard(message, at: now, using: &generator)
            else { return false }
            keep(known.number, by: keeper, verdict, at: now)
            return true
        case .indication: return false
        }
    }
}

extension SIPResponse {
    /// Whether the registrar does what RFC 5626 §6 says; a server that only lists the option may not.
    var saysOutbound: Bool { (try? headers.tokens(.require))?.contains { $0.lowercased() == "outbound" } ?? false }
}
