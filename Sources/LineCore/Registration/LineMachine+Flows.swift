import Base
import SIPCore

/// Which flows lead to the account's server (RFC 5626 §4.2): one, or two where it tells them apart and stands at two
/// places. The list of its places is what the name service says.
extension LineMachine {
    /// A flow that breaks sooner than this after registering was none.
    private static let shortLife: Duration = .seconds(30)

    /// The server tells flows apart: there is one more, if it has another place.
    mutating func addFlow(at now: Instant) {
        guard let number = registration.vacancy, home.contains(where: { registration.mayTake($0, number) }) else {
            return
        }
        registration[number] = RegisteredFlow(number)
        register(number, at: now)
    }

    /// Nothing is asked over it or kept any more.
    mutating func forgetFlow(_ number: RegisteredFlow.Number) {
        timers.cancel(.register(number))
        timers.cancel(.keepAlive(number))
        abandon(.register(number))
        registration[number] = nil
    }

    // MARK: Death

    /// A connection is gone on which the server reaches us: it is made again.
    mutating func renewRegistration(over flow: Flow, at now: Instant) {
        guard flow.transport.isReliable,
            let number = registration.flows.first(where: { $0.flow == flow && $0.phase == .registered })?.number
        else { return }
        stopKeeping(number)
        registerAgain(number, at: now)
    }

    /// Nothing that is sent over it arrives, though nobody says so.
    mutating func flowDied(_ number: RegisteredFlow.Number, at now: Instant) {
        guard let flow = registration[number]?.keeper?.flow else { return }
        stopKeeping(number)
        ways.failed(flow, at: now)
        outputs.append(.abandon(flow))
        handle(layer.transportFailed(flow, at: now), at: now)
        guard let known = registration[number], known.phase == .registered, known.flow == flow else { return }
        registerAgain(number, at: now)
    }

    /// At once; but a server that takes us and drops us in a circle is asked more and more seldom (RFC 5626 §4.5).
    private mutating func registerAgain(_ number: RegisteredFlow.Number, at now: Instant) {
        // Broken twice is broken once.
        guard var known = registration[number], let since = known.since else { return }
        known.since = nil
        known.shortLives = now - since < Self.shortLife ? known.shortLives + 1 : 0
        registration[number] = known
        // After a life that was long enough, not all phones of a house in the same instant.
        let pause =
            known.shortLives == 0
            ? .milliseconds(Int64.random(in: 250...500, using: &generator)) : backoff(from: 2, after: known.shortLives)
        timers.set(.register(number), at: now + pause)
        if let flow = known.flow { moveWatches(from: flow, at: now) }
    }
}
