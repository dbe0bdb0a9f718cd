import Base
import ICECore
import SIPCore

/// The keepers of the flows to the account's server, by the numbers of the flows (RFC 5626 §4.4).
struct FlowKeepAlives: Sendable {
    enum Effect: Equatable, Sendable {
        case send([UInt8], over: Flow)
        /// Nothing that is sent over the flow arrives, and no error reports that.
        case died(RegisteredFlow.Number, Flow)
    }

    private var keepers: [RegisteredFlow.Number: FlowKeepAlive] = [:]

    var deadline: Instant? { keepers.values.map(\.deadline).min() }

    mutating func deadlineReached(at now: Instant, using generator: inout some RandomNumberGenerator) -> [Effect] {
        var effects: [Effect] = []
        for number in keepers.keys.sorted() {
            guard var keeper = keepers[number], keeper.deadline <= now else { continue }
            let verdict = keeper.deadlineReached(at: now, using: &generator)
            effects += keep(number, by: keeper, verdict)
        }
        return effects
    }

    /// The server knows us over this flow. Starts to keep it, with the interval that the server wants.
    mutating func keep(
        _ number: RegisteredFlow.Number, over flow: Flow, as response: SIPResponse, at now: Instant,
        using generator: inout some RandomNumberGenerator
    ) {
        guard keepers[number]?.flow != flow else { return }
        let flowTimer = (try? response.headers.flowTimer) ?? nil
        // Every end of a WebSocket answers its pings (RFC 6455 §5.5.2).
        let isPromised = response.saysOutbound || flowTimer != nil || flow.transport.isWebSocket
        keepers[number] = FlowKeepAlive(
            flow, flowTimer: flowTimer, isPromised: isPromised, at: now, using: &generator)
    }

    mutating func stop(_ number: RegisteredFlow.Number) { keepers[number] = nil }

    /// A CRLF came over a stream.
    mutating func heardLineBreak(over flow: Flow, at now: Instant, using generator: inout some RandomNumberGenerator) {
        for (number, keeper) in keepers where keeper.flow == flow {
            var keeper = keeper
            keeper.heardLineBreak(at: now, using: &generator)
            keepers[number] = keeper
        }
    }

    /// - Returns: Nil for an answer to no request of ours.
    mutating func heard(
        _ message: STUNMessage, over flow: Flow, at now: Instant, using generator: inout some RandomNumberGenerator
    ) -> [Effect]? {
        guard let number = keepers.first(where: { $0.value.flow.remote == flow.remote })?.key,
            var keeper = keepers[number], let verdict = keeper.heard(message, at: now, using: &generator)
        else { return nil }
        return keep(number, by: keeper, verdict)
    }

    /// Stores a keeper and turns its verdict into effects.
    private mutating func keep(
        _ number: RegisteredFlow.Number, by keeper: FlowKeepAlive, _ verdict: FlowKeepAlive.Verdict
    ) -> [Effect] {
        keepers[number] = keeper
        switch verdict {
        case .send(let bytes): return [.send(bytes, over: keeper.flow)]
        case .rest: return []
        case .dead:
            stop(number)
            return [.died(number, keeper.flow)]
        }
    }
}
