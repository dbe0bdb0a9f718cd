import NIOCore

extension Channel {
    /// Whether another message may wait for a program that reads. A single message may always wait, even a long one.
    func hasRoom(for bytes: Int, limit: Int) -> Bool {
        // A channel that cannot say how much waits is closed already; then nothing waits.
        let waiting = (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return waiting == 0 || waiting + bytes <= limit
    }
}
