import Base
import NIOCore
import PhoneCore

/// The newest events, for readers of a stream that were cut off and resume it.
struct EventRing {
    static let capacity = 512
    /// Far more than events of calls take; a limit for what far ends may write into them.
    static let maximumBytes = 1 << 20

    /// Drawn at each start, so that the numbers of an earlier run mean nothing.
    private let run: String
    private var last: UInt64 = 0
    private var frames = CircularBuffer<(bytes: ByteBuffer, revealsDigits: Bool)>()
    private var bytes = 0

    init() {
        var random = SystemRandomNumberGenerator()
        run = String(UInt64.random(in: .min ... .max, using: &random), radix: 36)
    }

    /// The newest event that there was.
    var position: String { identifier(last) }
    /// The next event.
    var next: String { identifier(last + 1) }

    private func identifier(_ number: UInt64) -> String { "\(run)-\(number)" }

    /// - Parameter event: The event `next`.
    mutating func append(_ event: PublishedEvent) {
        last += 1
        frames.append((event.frame, event.revealsDigits))
        bytes += event.frame.readableBytes
        while frames.count > Self.capacity || bytes > Self.maximumBytes {
            bytes -= frames.removeFirst().bytes.readableBytes
        }
    }

    /// What came behind an event, as far as the scope is told it; nil: some of it is lost, or there was no such event.
    func frames(after identifier: String, scope: AccessScope) -> [ByteBuffer]? {
        let parts = identifier.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == run, let number = UInt64(parts[1]), number <= last,
            last - number <= UInt64(frames.count)
        else { return nil }
        return frames.suffix(Int(last - number)).filter { scope >= .call || !$0.revealsDigits }.map(\.bytes)
    }
}
