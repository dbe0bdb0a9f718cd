import NIOCore
import NIOHTTP1
import Turns

/// What is sent, and what is not because the client does not read.
extension HTTPConnection {
    func respond(_ answer: HTTPAnswer, to request: HTTPRequest) {
        let hasBody = request.method != .HEAD
        guard request.keepsAlive else { return answerAndClose(answer, hasBody: hasBody) }
        guard let channel, write(answer, hasBody: hasBody) else { return }
        state = .finishing
        answerBegan()
        // The promise of an empty write succeeds when everything before it has been written. The next request is not
        // read before, so that no answers pile up. It may be decoded already: then it waits for a turn that has room.
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

    /// Sends the last answer and ends this side of the connection. It closes when the client has closed its own, or
    /// soon: closing at once could take the answer away from a client that still sends (RFC 9112 §9.6).
    func answerAndClose(_ answer: HTTPAnswer, hasBody: Bool) {
        var answer = answer
        answer.headers.append(("Connection", "close"))
        guard let channel, write(answer, hasBody: hasBody) else { return }
        (state, bearer) = (.leaving, nil)
        closingBegan()
        // A channel that does not have this option any more is closed.
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
        // These two have no body, and say so by their status alone (RFC 9110 §8.6).
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

    /// Sends a piece of a stream.
    func send(_ frame: ByteBuffer) {
        guard let channel else { return }
        guard door.hasRoom(for: frame.readableBytes, in: channel) else { return drop() }
        channel.write(HTTPServerResponsePart.body(.byteBuffer(frame)), promise: nil)
        // One event may go to hundreds of streams, each of which costs a call of the system.
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
