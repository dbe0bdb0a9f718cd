import Base
import PhoneCore
import PhoneJudges
import SIPCore

/// Effects that an enemy must never have, judged on the wire.
struct EnemyJudge: Sendable {
    /// Whether every account of the world is over TLS.
    let isOverTLS: Bool

    /// A stranger's message leads to a refusal that is no longer than itself, and to nothing else.
    func check(_ outputs: [SimulatedLine.Output], after forged: Datagram) throws(Violation) {
        var bytes = 0
        for output in outputs {
            switch output {
            case .send(let datagram):
                guard !isOverTLS || datagram.transport == .tls else {
                    throw Violation("an account over TLS answers nothing in clear: \(datagram.to)")
                }
                guard datagram.to.host == forged.from.host else {
                    throw Violation("a stranger causes no message to another host: \(datagram.to)")
                }
                bytes += datagram.bytes.count
            // The refusal is reported to the log.
            case .event(.refused(_, _, .notAccepted)), .event(.refused(_, _, .otherTransport)): break
            case .event(let event): throw Violation("a stranger has no effect: \(event)")
            case .named, .learned, .finished: throw Violation("a stranger has no effect")
            }
        }
        guard bytes <= forged.bytes.count else { throw Violation("a stranger gets no more bytes than it sent") }
    }

    /// The messages of a phone to other places than its server.
    /// - Parameter isNamed: The server named this destination for the call.
    func check(_ datagram: Datagram, isNamed: Bool) throws(Violation) {
        guard !isOverTLS || datagram.transport == .tls else {
            throw Violation("nothing of an account over TLS leaves in clear: \(datagram.to)")
        }
        guard datagram.to != Proxy.endpoint else { return }
        let text = String(decoding: datagram.bytes, as: UTF8.self)
        if text.contains("uthorization: ") || text.contains("a=crypto") && !isNamed {
            throw Violation("secrets leave the phone to its server only: \(datagram.to)")
        }
    }

    /// Checks the registration at the end of a quiet time, in which the server is honest and the network works.
    func checkReach(_ phone: SimulatedPhone) throws(Violation) {
        guard let process = phone.process, !process.isStopping, phone.rights.knowsTheServer else { return }
        switch process.line.registration {
        case .registered, .disconnected, .notNeeded: return
        case .registering, .failed, nil:
            throw Violation("the account registers again after any attack")
        }
    }

    func check(_ machine: PhoneMachine) throws(Violation) {
        guard machine.census.isBounded(by: machine.policy) else {
            throw Violation("a phone's memory of others is bounded: \(machine.census)")
        }
    }

    func check(_ line: SimulatedLine) throws(Violation) {
        guard line.isBounded else { throw Violation("a line's memory of others is bounded") }
    }
}
