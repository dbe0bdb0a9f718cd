import Base
import ICECore
import SIPCore

/// Keep-alives, ours and others' (RFC 5626 §4.4, §5.4).
extension LineMachine {
    // MARK: Ours

    /// The server knows us over this flow: it is kept. Only where there is a registration is there something to keep.
    mutating func keep(_ flow: Flow, as response: SIPResponse, at now: Instant) {
        let flowTimer = (try? response.headers.flowTimer) ?? nil
        let offers = response.saysOutbound || flowTimer != nil
        guard keeper?.flow != flow else { return }
        keeper = FlowKeeper(flow, flowTimer: flowTimer, isPromised: offers, at: now, using: &generator)
        armKeeper()
    }

    mutating func stopKeeping() {
        keeper = nil
        timers.cancel(.keepAlive)
    }

    mutating func keepAliveDue(at now: Instant) {
        guard var keeper else { return }
        let verdict = keeper.deadlineReached(at: now, using: &generator)
        self.keeper = keeper
        follow(verdict, over: keeper.flow, at: now)
    }

    private mutating func follow(_ verdict: FlowKeeper.Verdict, over flow: Flow, at now: Instant) {
        switch verdict {
        case .send(let bytes): outputs.append(.send(bytes, flow))
        case .rest: break
        case .dead: return flowDied(flow, at: now)
        }
        armKeeper()
    }

    private mutating func armKeeper() {
        if let keeper { timers.set(.keepAlive, at: keeper.deadline) }
    }

    // MARK: What comes that is no SIP

    /// Takes line breaks and STUN. False: it is a message.
    mutating func receivedKeepAlive(_ bytes: [UInt8], over flow: Flow, at now: Instant) -> Bool {
        if bytes.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            if var keeper, keeper.flow == flow {
                keeper.heardLineBreak(at: now, using: &generator)
                self.keeper = keeper
                armKeeper()
            }
            return true
        }
        guard flow.transport == .udp, STUNMessage.mayBegin(bytes) else { return false }
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
            guard let address = IPAddress(flow.remote.host), stunAnswers.admit(at: now),
                let answer = message.answer(to: TransportAddress(address, flow.remote.port))
            else { return false }
            outputs.append(.send(answer.bytes, flow))
            return true
        case .success, .failure:
            guard var keeper, keeper.flow.remote == flow.remote,
                let verdict = keeper.heard(message, at: now, using: &generator)
            else { return false }
            self.keeper = keeper
            follow(verdict, over: keeper.flow, at: now)
            return true
        case .indication: return false
        }
    }

    // MARK: Death

    /// Nothing that is sent over it arrives, though nobody says so.
    private mutating func flowDied(_ flow: Flow, at now: Instant) {
        stopKeeping()
        ways.failed(flow, at: now)
        outputs.append(.abandon(flow))
        handle(layer.transportFailed(flow, at: now), at: now)
        guard registration.phase == .registered, registration.flow == flow else { return }
        registerAgain(at: now)
    }
}

extension SIPResponse {
    /// Whether the registrar does what RFC 5626 §6 says; a server that only lists the option may not.
    var saysOutbound: Bool { (try? headers.tokens(.require))?.contains { $0.lowercased() == "outbound" } ?? false }
}
