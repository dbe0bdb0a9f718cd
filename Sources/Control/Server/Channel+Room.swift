import NIOCore

extension Channel {
    /// Whether another message may wait for a reader. A single message may always wait, even a long one.
    func hasRoom(for bytes: Int, limit: Int) -> Bool {
        waitingBytes == 0 || waitingBytes + bytes <= limit
    }

    var waitingBytes: Int {
        // A channel without this option is already closed; then nothing waits.
        (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
