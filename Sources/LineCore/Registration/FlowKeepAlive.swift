import Base
import ICECore
import SIPCore

/// Keeps the flow to the registrar open, and finds out when it is dead (RFC 5626 §3.5, §4.4).
///
/// A value without a clock: `deadlineReached` at `deadline` returns what to send. Over streams it sends two CRLF and
/// expects one back. Over a WebSocket it sends them as a message with a ping beside it, whose answer counts for both
/// (RFC 7118 §6). Over datagrams it sends STUN, or OPTIONS if the server does not answer STUN, or CRLF if it answers
/// neither. Silence means a dead flow only if the server has promised to answer, or has answered before.
///
/// RFC 5626 gives a stream 95 to 120 s between two keep-alives (§4.4.1), and datagrams behind a NAT 24 to 29 s
/// (§4.4.2). Both are upper limits, which spare batteries and the servers of very many phones. This phone has a wired
/// connection, and a caller cannot see that the flow is dead. So the phone detects a dead flow within `detection`, over
/// any transport, if the server answers. The price is four bytes, or a STUN request of 28, at least every 9.5 s.
/// Flow-Timer (§10) is an upper limit, too.
///
/// An OPTIONS and its answer are a kilobyte, and a server that does not answer proves nothing about its flow. So these
/// go only as often as the NATs on the path require.
///
///     resting ──deadline──► asking ──answer──► resting
///                             └──silence──► dead, or asking by the next means if no answer was promised
struct FlowKeepAlive: Equatable, Sendable {
    enum Verdict: Equatable, Sendable {
        case send([UInt8])
        /// Send OPTIONS.
        case sendOptions
        case rest
        /// No answer comes any more, or the server sees us at another address.
        case dead
    }

    private enum State: Equatable, Sendable {
        case resting
        /// - Parameter request: Nil without STUN. The answer over a stream has no transaction ID, and OPTIONS has its
        ///   own transaction.
        case asking(STUNMessage?, times: Int)
    }

    /// How to keep a flow of datagrams open. Each means replaces the one before it if that gets no answer.
    private enum Means: Equatable, Sendable { case stun, options, lineBreaks }

    /// How long an answer may take (RFC 5626 §4.4.1). RFC 8489 §6.2.1 would wait 39.5 s for an answer over UDP.
    static let timeout: Duration = .seconds(10)
    /// The longest time from the death of a flow until we notice: the pause before the next keep-alive, and `timeout`.
    static let detection: Duration = .seconds(20)
    /// The longest pause between two keep-alives to a server that answers. It allows half a second for late threads.
    private static let longestPause = detection - timeout - .milliseconds(500)
    /// A lost request is sent again after this time, then after twice this time, and so on.
    private static let repetition: Duration = .milliseconds(500)
    private static let repetitions = 5

    let flow: Flow
    /// Milliseconds between two keep-alives to a server that answers.
    private let pause: ClosedRange<Int64>
    private(set) var deadline: Instant
    private var state = State.resting
    /// Whether silence means a dead flow.
    private var isExpected: Bool
    private var means = Means.stun
    /// The address at which the server sees us.
    private var seen: Flow.Endpoint?

    /// - Parameters:
    /// - flowTimer: Seconds after which the server considers a silent flow dead (RFC 5626 §10). Nil: not given.
    /// - isPromised: Whether the server has promised to answer.
    init(
        _ flow: Flow, flowTimer: UInt32?, isPromised: Bool, at now: Instant,
        using generator: inout some RandomNumberGenerator
    ) {
        self.flow = flow
        isExpected = isPromised
        let longest = min(Int64(max(flowTimer ?? .max, 5)) * 1_000, Self.longestPause.nanoseconds / 1_000_000)
        pause = longest * 8 / 10...longest
        // The first keep-alive comes early, to show soon whether the server answers.
        deadline = now + .milliseconds(Int64.random(in: pause, using: &generator))
    }

    mutating func deadlineReached(at now: Instant, using generator: inout some RandomNumberGenerator) -> Verdict {
        guard deadline <= now else { return .rest }
        switch state {
        case .resting: return ask(at: now, using: &generator)
        case .asking(let request?, let times) where isExpected && times < Self.repetitions:
            state = .asking(request, times: times + 1)
            deadline = now + wait(after: times + 1)
            return .send(request.bytes)
        case .asking:
            guard !isExpected else { return .dead }
            guard !flow.transport.isReliable else {
                rest(at: now, using: &generator)
                return .rest
            }
            means = means == .stun ? .options : .lineBreaks
            return ask(at: now, using: &generator)
        }
    }

    /// Handles a CRLF that came over the stream.
    mutating func heardCRLF(at now: Instant, using generator: inout some RandomNumberGenerator) {
        guard flow.transport.isReliable, case .asking = state else { return }
        isExpected = true
        rest(at: now, using: &generator)
    }

    /// - Returns: `.dead` if the server sees us at another address than before, because others cannot reach us at the
    ///   old one (RFC 5626 §4.4.2). Nil if the message answers none of our requests.
    mutating func heard(
        _ message: STUNMessage, at now: Instant, using generator: inout some RandomNumberGenerator
    ) -> Verdict? {
        guard case .asking(let request?, _) = state, message.id == request.id else { return nil }
        return answered(message.mappedAddress, at: now, using: &generator)
    }

    /// Handles any final response to OPTIONS, which shows that the server is there.
    /// - Parameter place: The address from which the server saw the request come.
    mutating func heardOptions(
        from place: Flow.Endpoint?, at now: Instant, using generator: inout some RandomNumberGenerator
    ) -> Verdict? {
        guard case .asking(nil, _) = state, means == .options else { return nil }
        return answered(place, at: now, using: &generator)
    }

    private mutating func answered(
        _ place: Flow.Endpoint?, at now: Instant, using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        isExpected = true
        rest(at: now, using: &generator)
        let before = seen
        seen = place ?? before
        return before == nil || before == seen ? .rest : .dead
    }

    private mutating func ask(at now: Instant, using generator: inout some RandomNumberGenerator) -> Verdict {
        if flow.transport.isReliable {
            state = .asking(nil, times: 1)
            deadline = now + Self.timeout
            return .send(SIPStreamFramer.keepAlive)
        }
        switch means {
        case .stun:
            let request = STUNMessage(.request, id: .init(using: &generator))
            state = .asking(request, times: 1)
            deadline = now + (isExpected ? wait(after: 1) : Self.timeout)
            return .send(request.bytes)
        case .options:
            state = .asking(nil, times: 1)
            deadline = now + Self.timeout
            return .sendOptions
        case .lineBreaks:
            rest(at: now, using: &generator)
            return .send(SIPStreamFramer.keepAlive)
        }
    }

    /// After the last repetition the rest of `timeout` follows.
    private func wait(after times: Int) -> Duration {
        guard times == Self.repetitions else { return Self.repetition * (1 << (times - 1)) }
        return Self.timeout - Self.repetition * ((1 << (Self.repetitions - 1)) - 1)
    }

    private mutating func rest(at now: Instant, using generator: inout some RandomNumberGenerator) {
        state = .resting
        let unheard: ClosedRange<Int64> = flow.transport.isReliable ? 95_000...120_000 : 24_000...29_000
        let interval = isExpected && means == .stun ? pause : unheard
        deadline = now + .milliseconds(Int64.random(in: interval, using: &generator))
    }
}

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
            guard accepts(flow), limits.stun.admit(at: now), let answer = message.answer(to: flow.remote)
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
