import Base
import NIOCore
import PhoneCore

/// The newest events, for stream readers that reconnect.
struct EventRing {
    static let capacity = 512
    /// Far more than the events of calls need. Limits the memory that far ends can fill with their texts.
    static let maximumBytes = 1 << 20

    /// Random for each run, so that numbers of an earlier run are invalid.
    private let run: String
    private var last: UInt64 = 0
    private var frames = CircularBuffer<(bytes: ByteBuffer, revealsDigits: Bool)>()
    private var bytes = 0

    init() {
        var random = SystemRandomNumberGenerator()
        run = String(UInt64.random(in: .min ... .max, using: &random), radix: 36)
    }

    /// The newest event so far.
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

    /// The events after an identifier that the scope may see. Nil: some are lost, or the identifier is unknown.
    func frames(after identifier: String, scope: AccessScope) -> [ByteBuffer]? {
        let parts = identifier.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == run, let number = UInt64(parts[1]), number <= last,
            last - number <= UInt64(frames.count)
        else { return nil }
        return frames.suffix(Int(last - number)).filter { scope >= .call || !$0.revealsDigits }.map(\.bytes)
    }
}
