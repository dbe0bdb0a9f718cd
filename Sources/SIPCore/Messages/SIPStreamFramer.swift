import Base

/// Cuts a stream of bytes into whole messages, wherever the network split it (RFC 3261 §18.3).
///
/// The output does not depend on where the network split the bytes. Memory: at most one message and the bytes of one
/// `receive`. Cost: linear in the bytes.
public struct SIPStreamFramer: Sendable {
    public enum Output: Equatable, Sendable {
        /// The bytes of one message.
        case message([UInt8])
        /// A CRLF between messages. It shows that the peer is alive, and answers our keep-alive if we sent one
        /// (RFC 5626 §3.5.1).
        case pong
        /// The CRLF of the preceding `pong` was the second in a row: this is the peer's own keep-alive, which is to be
        /// answered with one CRLF. Two answers to our keep-alives look the same. Then our answer is superfluous, but
        /// does no harm.
        case ping
        /// No message boundary can be found any more. The values are the reason and the bytes that should have been a
        /// message, which may still contain the place to send a response to. The connection must be closed, because
        /// there is no further output.
        case broken(SIPParseError, [UInt8])
    }

    /// The bytes of a keep-alive that is to be answered (RFC 5626 §3.5.1).
    public static let keepAlive: [UInt8] = [.cr, .lf, .cr, .lf]
    /// The bytes of its answer.
    public static let keepAliveAnswer: [UInt8] = [.cr, .lf]

    private enum State: Equatable, Sendable {
        /// How many bytes of CRLFCRLF came in succession.
        case between(breaks: Int)
        /// Where the search for the end of the head continues.
        case head(searched: Int)
        /// How many bytes the message has.
        case body(count: Int)
        case broken
    }

    private var state = State.between(breaks: 0)
    private var buffer: [UInt8] = []
    /// The number of bytes at the start of `buffer` that are processed.
    private var consumed = 0

    public init() {}

    /// Whether a message has begun and is not complete.
    public var isInside: Bool {
        switch state {
        case .head, .body: true
        case .between, .broken: false
        }
    }

    public mutating func receive(_ bytes: Span<UInt8>) -> [Output] {
        guard state != .broken else { return [] }
        buffer.append(copying: bytes)
        var outputs: [Output] = []
        while let output = step() { outputs += output }
        buffer.removeFirst(consumed)
        consumed = 0
        return outputs
    }

    /// Makes one step and returns its output; nil when more bytes are needed.
    private mutating func step() -> [Output]? {
        switch state {
        case .between(let breaks): skipLineBreak(after: breaks)
        case .head(let searched): findBody(from: searched)
        case .body(let count): takeMessage(of: count)
        case .broken: nil
        }
    }

    private mutating func skipLineBreak(after breaks: Int) -> [Output]? {
        guard consumed < buffer.count else { return nil }
        let expected: UInt8 = breaks.isMultiple(of: 2) ? .cr : .lf
        guard buffer[consumed] == expected else {
            guard breaks.isMultiple(of: 2), buffer[consumed] != .lf else { return fail(SIPParseError(.lineEnd, at: 0)) }
            state = .head(searched: 0)
            return []
        }
        consumed += 1
        state = .between(breaks: (breaks + 1) % 4)
        return breaks == 1 ? [.pong] : breaks == 3 ? [.pong, .ping] : []
    }

    private mutating func findBody(from searched: Int) -> [Output]? {
        do throws(SIPParseError) {
            guard let count = try messageCount(searchingFrom: searched) else {
                state = .head(searched: max(0, buffer.count - consumed - 3))
                return nil
            }
            state = .body(count: count)
            return []
        } catch {
            return fail(error)
        }
    }

    /// How many bytes the message has; nil until its head is complete. Without Content-Length there is no body
    /// that could be found (RFC 3261 §20.14).
    private func messageCount(searchingFrom searched: Int) throws(SIPParseError) -> Int? {
        let tooLong = SIPParseError(.tooLong(limit: SIPLimits.message), at: SIPLimits.message)
        let window = buffer.span.extracting(consumed..<buffer.count)
        guard let end = SIPHead.end(in: window, from: searched) else {
            guard window.count <= SIPLimits.message else { throw tooLong }
            return nil
        }
        let head = try SIPHead(window.extracting(0..<end))
        let count = try end + (head.announced ?? 0)
        guard count <= SIPLimits.message else { throw tooLong }
        return count
    }

    private mutating func takeMessage(of count: Int) -> [Output]? {
        guard buffer.count - consumed >= count else { return nil }
        defer { (consumed, state) = (consumed + count, .between(breaks: 0)) }
        return [.message(Array(buffer[consumed..<consumed + count]))]
    }

    /// The outputs of a message that its transport delivers whole, as a WebSocket does (RFC 7118 §4.2). It needs no
    /// Content-Length, because the transport marks its end.
    public static func outputs(ofWhole message: [UInt8]) -> [Output] {
        switch message {
        case []: []
        case keepAliveAnswer: [.pong]
        case keepAlive: [.pong, .ping]
        default: [.message(message)]
        }
    }

    private mutating func fail(_ error: SIPParseError) -> [Output] {
        let rest = Array(buffer[consumed...].prefix(SIPLimits.message))
        (state, buffer, consumed) = (.broken, [], 0)
        return [.broken(error, rest)]
    }
}
