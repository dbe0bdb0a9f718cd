import Base
import ICECore
import SIPCore

/// The keep-alives of the flows to the account's server, by the numbers of the flows (RFC 5626 §4.4).
struct FlowKeepAlives: Sendable {
    enum Effect: Equatable, Sendable {
        case send([UInt8], over: Flow)
        case sendOptions(RegisteredFlow.Number, over: Flow)
        /// The flow is dead: what we send over it does not arrive, and no error reports that.
        case died(RegisteredFlow.Number, Flow)
    }

    private var keepAlives: [RegisteredFlow.Number: FlowKeepAlive] = [:]

    var deadline: Instant? { keepAlives.values.map(\.deadline).min() }

    mutating func deadlineReached(at now: Instant, using generator: inout some RandomNumberGenerator) -> [Effect] {
        var effects: [Effect] = []
        for number in keepAlives.keys.sorted() {
            guard var keepAlive = keepAlives[number], keepAlive.deadline <= now else { continue }
            let verdict = keepAlive.deadlineReached(at: now, using: &generator)
            effects += keep(number, by: keepAlive, verdict)
        }
        return effects
    }

    /// Starts to keep a registered flow open, at the interval that the server wants.
    mutating func keep(
        _ number: RegisteredFlow.Number, over flow: Flow, as response: SIPResponse, at now: Instant,
        using generator: inout some RandomNumberGenerator
    ) {
        guard keepAlives[number]?.flow != flow else { return }
        let flowTimer = (try? response.headers.flowTimer) ?? nil
        // Every end of a WebSocket answers its pings (RFC 6455 §5.5.2).
        let isPromised = response.saysOutbound || flowTimer != nil || flow.transport.isWebSocket
        keepAlives[number] = FlowKeepAlive(
            flow, flowTimer: flowTimer, isPromised: isPromised, at: now, using: &generator)
    }

    mutating func stop(_ number: RegisteredFlow.Number) { keepAlives[number] = nil }

    /// Handles a CRLF that came over a stream.
    mutating func heardCRLF(over flow: Flow, at now: Instant, using generator: inout some RandomNumberGenerator) {
        for (number, keepAlive) in keepAlives where keepAlive.flow == flow {
            var keepAlive = keepAlive
            keepAlive.heardCRLF(at: now, using: &generator)
            keepAlives[number] = keepAlive
        }
    }

    /// - Returns: Nil if the message answers none of our requests.
    mutating func heard(
        _ message: STUNMessage, over flow: Flow, at now: Instant, using generator: inout some RandomNumberGenerator
    ) -> [Effect]? {
        guard let number = keepAlives.first(where: { $0.value.flow.remote == flow.remote })?.key,
            var keepAlive = keepAlives[number], let verdict = keepAlive.heard(message, at: now, using: &generator)
        else { return nil }
        return keep(number, by: keepAlive, verdict)
    }

    /// Handles an answer to OPTIONS.
    mutating func heardOptions(
        _ number: RegisteredFlow.Number, _ response: SIPResponse, at now: Instant,
        using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard var keepAlive = keepAlives[number],
            let verdict = keepAlive.heardOptions(from: response.seenEndpoint, at: now, using: &generator)
        else { return [] }
        return keep(number, by: keepAlive, verdict)
    }

    /// Stores a keep-alive and turns its verdict into effects.
    private mutating func keep(
        _ number: RegisteredFlow.Number, by keepAlive: FlowKeepAlive, _ verdict: FlowKeepAlive.Verdict
    ) -> [Effect] {
        keepAlives[number] = keepAlive
        switch verdict {
        case .send(let bytes): return [.send(bytes, over: keepAlive.flow)]
        case .sendOptions: return [.sendOptions(number, over: keepAlive.flow)]
        case .rest: return []
        case .dead:
            stop(number)
            return [.died(number, keepAlive.flow)]
        }
    }
}
