import NIOCore
import NIOHTTP1
import Turns

/// Sends answers, and drops clients that do not read.
extension HTTPConnection {
    func respond(_ answer: HTTPAnswer, to request: HTTPRequest) {
        let hasBody = request.method != .HEAD
        guard request.keepsAlive else { return answerAndClose(answer, hasBody: hasBody) }
        guard let channel, write(answer, hasBody: hasBody) else { return }
        state = .finishing
        answerBegan()
        // The promise of an empty write succeeds when everything before it is written. The next request is read only
        // then, so that

        // answers do not pile up. It may be decoded already; then it waits for a turn with room.
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))).assumeIsolated().whenComplete {
            [self] _ in door.budget.run { [self] in finish() }
        }
    }

    private func finish() {
        guard let channel, case .finishing = state else { return }
        (state, bearer) = (.idle, nil)
        requestEnded()
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }

    /// Sends the last answer and closes this direction of the connection. The rest closes when the client closes its
    /// side, or soon. Closing at once could lose the answer of a client that is still sending (RFC 9112 §9.6).
    func answerAndClose(_ answer: HTTPAnswer, hasBody: Bool) {
        var answer = answer
        answer.headers.append(("Connection", "close"))
        guard let channel, write(answer, hasBody: hasBody) else { return }
        (state, bearer) = (.leaving, nil)
        closingBegan()
        // A channel without this option is already closed.
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).assumeIsolated().whenComplete { _ in
            channel.close(mode: .output, promise: nil)
        }
    }

    /// - Returns: False if the client does not read and was dropped.
    private func write(_ answer: HTTPAnswer, hasBody: Bool) -> Bool {
        guard let channel else { return false }
        let bytes = answer.body.readableBytes
        guard door.hasRoom(for: bytes, in: channel) else {
            drop()
            return false
        }
        var headers = answer.headers
        // These two have no body; their status alone implies that (RFC 9110 §8.6).
        if answer.status != .noContent, answer.status != .notModified { headers.append(("Content-Length", "\(bytes)")) }
        channel.write(HTTPServerResponsePart.head(head(answer.status, headers)), promise: nil)
        if hasBody, bytes > 0 { channel.write(HTTPServerResponsePart.body(.byteBuffer(answer.body)), promise: nil) }
        return true
    }

    func head(_ status: HTTPResponseStatus, _ headers: [(name: String, value: String)]) -> HTTPResponseHead {
        HTTPResponseHead(
            version: .http1_1, status: status, headers: HTTPHeaders((HTTPAnswer.common + headers).map { ($0, $1) }))
    }

    func write(_ head: HTTPResponseHead) {
        channel?.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
    }

    /// Sends a frame of a stream.
    func send(_ frame: ByteBuffer) {
        guard let channel else { return }
        guard door.hasRoom(for: frame.readableBytes, in: channel) else { return drop() }
        channel.write(HTTPServerResponsePart.body(.byteBuffer(frame)), promise: nil)
        // One event may go to hundreds of streams, and each flush costs a system call.
        guard !isFlushing else { return }
        isFlushing = true
        door.budget.run { [self] in
            isFlushing = false
            self.channel?.flush()
        }
    }

    private func drop() {
        door.exchange.slowReaderDropped()
        close()
    }
}
