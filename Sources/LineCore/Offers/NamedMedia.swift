import Base
import SDPCore
import SIPCore

/// Messages whose descriptions name a host instead of an address (RFC 8866 §5.7). They wait until the name is resolved.
///
/// Bounded: few names at a time and in a row are resolved, so that nobody makes the phone ask DNS with each message.
/// Other messages are handled at once, and their names are unusable addresses.
package struct NamedMedia: Sendable {
    package enum Message: Sendable {
        case request(SIPRequest, ServerTransactionID)
        case response(SIPResponse, ClientTransactionID)

        fileprivate var transaction: TransactionID {
            switch self {
            case .request(_, let id): .server(id)
            case .response(_, let id): .client(id)
            }
        }

        fileprivate var status: SIPStatus? {
            if case .response(let response, _) = self { response.status } else { nil }
        }

        fileprivate func description() -> SessionDescription? {
            let body: [UInt8]? =
                switch self {
                case .request(let request, _): (try? request.body(of: .sdp)) ?? nil
                case .response(let response, _): (try? response.body(of: .sdp)) ?? nil
                }
            return body.flatMap { try? SessionDescription(parsing: $0) }
        }

        /// The same message with an address in place of the name.
        fileprivate func replacing(_ name: String, with address: String) -> Message {
            guard let body = description()?.replacing(host: name, with: address).bytes else { return self }
            switch self {
            case .request(var request, let id):
                request.body = body
                request.headers.set(.contentType, MediaType.sdp)
                return .request(request, id)
            case .response(var response, let id):
                response.body = body
                response.headers.set(.contentType, MediaType.sdp)
                return .response(response, id)
            }
        }
    }

    private struct Waiting: Sendable {
        let message: Message
        let flow: Flow
        let hop: NextHop
        let until: Instant
    }

    package enum Search: Equatable, Sendable {
        /// The message has no name, or its name is not resolved.
        case none
        /// The message waits.
        case joined
        /// The message waits, and the owner must locate the hop.
        case begun(NextHop)
    }

    /// The most messages that wait.
    private static let limit = 8
    /// How long a message waits. A caller gets an answer or hears ringing within that time.
    static let patience = Duration.seconds(3)
    private var rate = RateLimit(burst: 4, interval: .seconds(10))
    private var waiting: [Waiting] = []

    package init() {}

    package var deadline: Instant? { waiting.map(\.until).min() }
    package var count: Int { waiting.count }

    /// Lets a message wait for its address.
    package mutating func search(_ message: Message, over flow: Flow, at now: Instant) -> Search {
        guard let (host, port) = message.description()?.voiceHostName else { return .none }
        // A response comes again until it is acknowledged.
        let isKnown = waiting.contains {
            $0.message.transaction == message.transaction && $0.message.status == message.status
        }
        guard !isKnown else { return .joined }
        let hop = NextHop(host: host, port: port)
        let isNew = !waiting.contains { $0.hop == hop }
        guard waiting.count < Self.limit, !isNew || rate.admit(at: now) else { return .none }
        waiting.append(Waiting(message: message, flow: flow, hop: hop, until: now + Self.patience))
        return isNew ? .begun(hop) : .joined
    }

    /// The messages that waited for the name, with its address. Without an address they are unchanged.
    package mutating func located(_ hop: NextHop, at address: String?) -> [(message: Message, flow: Flow)] {
        let ready = waiting.filter { $0.hop == hop }
        waiting.removeAll { $0.hop == hop }
        return ready.map { waited in
            (address.map { waited.message.replacing(hop.host, with: $0) } ?? waited.message, waited.flow)
        }
    }

    /// Names that were not resolved in time.
    package func overdue(at now: Instant) -> [NextHop] {
        waiting.filter { $0.until <= now }.map(\.hop).reduce(into: []) { hops, hop in
            if !hops.contains(hop) { hops.append(hop) }
        }
    }

    /// Takes the INVITE that a CANCEL names.
    package mutating func cancel(_ transaction: ServerTransactionID) -> SIPRequest? {
        guard let index = waiting.firstIndex(where: { $0.message.transaction == .server(transaction) }),
            case .request(let request, _) = waiting.remove(at: index).message
        else { return nil }
        return request
    }
}

extension LineMachine {
    /// Whether a message waits until the host name in its description is resolved.
    mutating func waitsForAddress(_ message: NamedMedia.Message, over flow: Flow, at now: Instant) -> Bool {
        // A line over a WebSocket resolves only its server's name.
        guard webSocketServer == nil, mayDescribeVoice(message) else { return false }
        switch names.search(message, over: flow, at: now) {
        case .none: return false
        case .joined: return true
        case .begun(let hop):
            outputs += routing.search(hop, for: nil, using: &context.generator, at: now) ?? []
            return true
        }
    }

    private func mayDescribeVoice(_ message: NamedMedia.Message) -> Bool {
        switch message {
        case .request(let request, _): return !request.body.isEmpty && [.invite, .update].contains(request.method)
        case .response(let response, let id):
            guard !response.body.isEmpty, !response.status.isFinal || response.status.isSuccess else { return false }
            switch sent[id]?.purpose {
            case .invite, .reinvite, .update: return true
            case nil, .info, .bye, .strayBye, .orphanBye, .prack, .register, .unregister, .refer, .notify, .subscribe,
                .options:
                return false
            }
        }
    }

    /// - Returns: Whether a message waited for this host.
    mutating func resolved(_ hop: NextHop, _ flows: [Flow], at now: Instant) -> Bool {
        let address = flows.first?.remote.host
        let ready = names.located(hop, at: address)
        if !ready.isEmpty, address == nil {
            outputs.append(.remark("the host \(hop.host), to which a call's voice should go, was not found"))
        }
        for (message, flow) in ready {
            switch message {
            case .request(let request, let id): receiveLocated(request, id, over: flow, at: now)
            case .response(let response, let id): receiveLocated(response, to: id, over: flow, at: now)
            }
        }
        return !ready.isEmpty
    }
}
