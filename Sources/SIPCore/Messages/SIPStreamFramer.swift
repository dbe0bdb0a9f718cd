import Base

/// Cuts a stream of bytes into whole messages, wherever the network split it (RFC 3261 §18.3).
///
/// What comes out does not depend on how the bytes were cut. Memory: at most one message and the bytes of one
/// `receive`. Cost: linear in the bytes.
public struct SIPStreamFramer: Sendable {
    public enum Output: Equatable, Sendable {
        /// The bytes of one message.
        case message([UInt8])
        /// A line break between messages: the peer lives, and answers our keep-alive if we sent one (RFC 5626 §3.5.1).
        case pong
        /// That one was the second in a row: the peer's own keep-alive, to be answered with one, if it is not our second
        /// answer. An answer to an answer is a line break that nobody minds.
        case ping
        /// No message boundary can be found any more: why, and the bytes that should have been a message, which may still say
        /// whom to tell. The connection must be closed; nothing else will come out.
        case broken(SIPParseError, [UInt8])
    }

    private enum State: Equatable, Sendable {
        /// How many bytes of CRLFCRLF came in a row.
        case between(breaks: Int)
        /// Where the search for the end of the head goes on.
        case head(searched: Int)
        /// How many bytes the message has.
        case body(count: Int)
        case broken
    }

    private var state = State.between(breaks: 0)
    private var buffer: [UInt8] = []
    /// Bytes at the start of `buffer` that are done with.
    private var consumed = 0

    public init() {}

    /// Whether a message has begun that is not whole.
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

    /// One step forward and what it gives; nil when more bytes are needed.
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

    private mutating func fail(_ error: SIPParseError) -> [Output] {
        let rest = Array(buffer[consumed...].prefix(SIPLimits.message))
        (state, buffer, consumed) = (.broken, [], 0)
        return [.broken(error, rest)]
    }
}
