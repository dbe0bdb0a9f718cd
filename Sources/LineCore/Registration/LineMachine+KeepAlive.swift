import Base
import ICECore
import SIPCore

/// Handles input that is not SIP: answers to our keep-alives, and keep-alives from others (RFC 5626 §4.4, §5.4).
extension LineMachine {
    /// Handles CRLF and STUN. False: the bytes are a SIP message.
    mutating func receivedKeepAlive(_ bytes: [UInt8], over flow: Flow, at now: Instant) -> Bool {
        if bytes.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            registration.heardCRLF(over: flow, in: &context, at: now)
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

    /// Handles a STUN message. False: it had no use.
    private mutating func received(_ message: STUNMessage, over flow: Flow, at now: Instant) -> Bool {
        switch message.kind {
        case .request:
            // The answer is longer than the request, and a source address may be forged. So only sources from which
            // calls are accepted get an answer.
            guard accepts(flow), let address = IPAddress(flow.remote.host), limits.stun.admit(at: now),
                let answer = message.answer(to: TransportAddress(address, flow.remote.port))
            else { return false }
            outputs.append(.send(answer.bytes, flow))
            return true
        case .success, .failure:
            guard let effects = registration.heard(message, over: flow, in: &context, at: now) else { return false }
            handle(effects, at: now)
            return true
        case .indication: return false
        }
    }
}
