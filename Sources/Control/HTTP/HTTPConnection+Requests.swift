import Base
import JSON
import NIOCore
import NIOHTTP1
import PhoneCore

/// Handles a request, from its headers to its answer.
extension HTTPConnection {
    /// Decides from the headers whether to serve the request.
    func begin(_ head: HTTPRequestHead) {
        requestBegan()
        door.exchange.statistics.http.requests += 1
        do throws(HTTPRefusal) {
            let request = try ServerRequest(head)
            try door.check(request, local: TransportAddress(channel?.localAddress))
            let route = try HTTPRoute(request, hasMetrics: door.exchange.host.metrics != nil)
            if route.needsToken {
                bearer = try door.bearer(of: request, for: route, from: TransportAddress(channel?.remoteAddress))
                try door.admitAnother(of: bearer)
            }
            try door.admitRequest(of: bearer, from: TransportAddress(channel?.remoteAddress))
            if route == .rpc, !request.hasJSON {
                throw HTTPRefusal(.unsupportedMediaType, "the body must be application/json")
            }
            if let length = request.bodyLength, length > door.settings.maximumBody { throw bodyTooLong }
            state = .receiving(request, route, body: ByteBuffer())
            if request.waitsForWord { write(.init(version: .http1_1, status: .continue)) }
        } catch {
            refuse(error, hasBody: head.method != .HEAD)
        }
    }

    private var bodyTooLong: HTTPRefusal {
        HTTPRefusal(.payloadTooLarge, "a body may have at most \(door.settings.maximumBody) bytes")
    }

    func refuseBody() { refuse(bodyTooLong) }

    func refuse(_ refusal: HTTPRefusal, hasBody: Bool = true) {
        door.refused(refusal, from: TransportAddress(channel?.remoteAddress))
        answerAndClose(refusal.answer, hasBody: hasBody)
    }

    func serve(_ request: ServerRequest, _ route: HTTPRoute, _ body: ByteBuffer) {
        switch route {
        case .rpc:
            state = .answering(request)
            door.exchange.handle(Array(body.readableBytesView), from: self)
        case .events: stream(after: request.header("last-event-id") ?? request.parameter("after"))
        case .metrics:
            let text = door.exchange.host.metrics?() ?? ""
            respond(
                HTTPAnswer(
                    .ok, [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")], body: ByteBuffer(string: text)),
                to: request)
        case .session:
            // A connection that has ended has no token any more.
            guard let bearer else { return }
            respond(door.beginSession(request, of: bearer), to: request)
        case .page(let file): respond(Self.answer(file, to: request), to: request)
        }
    }

    private static func answer(_ file: PanelFile, to request: ServerRequest) -> HTTPAnswer {
        let (body, tag) = file.content
        let headers = [("ETag", tag), ("Cache-Control", "no-cache")]
        if request.header("if-none-match") == tag { return HTTPAnswer(.notModified, headers) }
        return HTTPAnswer(.ok, [("Content-Type", file.contentType)] + headers, body: body)
    }

    /// Starts a stream of server-sent events, with the events after the client's last one.
    private func stream(after identifier: String?) {
        state = .streaming
        let headers = [
            ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
            ("X-Accel-Buffering", "no"),
        ]
        write(head(.ok, headers))
        door.exchange.statistics.http.streams += 1
        for frame in door.exchange.opening(after: identifier, scope: scope) { send(frame) }
        beginKeepAlive { $0.send(ByteBuffer(string: ": \n\n")) }
    }
}

extension HTTPConnection: Peer {
    /// A request without a token never reaches this.
    var scope: AccessScope { bearer?.scope ?? .observe }
    var owner: PeerOwner { .token(label: bearer?.label ?? "") }
    var isSubscribed: Bool { if case .streaming = state { true } else { false } }

    func subscribe() throws(RPCError) { throw .subscribesByStream }

    func tell(_ event: PublishedEvent) {
        if scope >= .call || !event.revealsDigits { send(event.frame) }
    }

    func answer(_ message: JSONValue?) {
        guard case .answering(let request) = state else { return }
        respond(message.map { HTTPAnswer(json: $0) } ?? HTTPAnswer(.noContent), to: request)
    }
}
