import NIOCore

/// A bound socket that stays open as long as its line, even if the channel that reads it closes.
///
/// NIO closes a channel at every error that it does not know to be harmless. So the channel gets a duplicate of the
/// socket, and closes only that. The socket itself keeps its port and the data that have arrived. It is then read
/// through another duplicate: at once, or after growing pauses while this fails. Confined to its loop.
package final class KeptSocket {
    package typealias Channels = EventLoopFuture<any Channel>

    private enum State {
        case idle
        case opening
        /// The socket is open. After the timer the channel counts as working.
        case open(any Channel, proof: Scheduled<Void>)
        case pausing(Scheduled<Void>)
        case closed
    }

    /// The socket itself, for system calls that bypass the channel.
    package let descriptor: CInt
    /// How often reading had to start again.
    package private(set) var reopenings = 0
    private let loop: any EventLoop
    private let open: (CInt) -> Channels
    private let changed: (_ isRead: Bool) -> Void
    private var state = State.idle
    private var pauses = GrowingPause(first: .milliseconds(50), longest: .seconds(2))
    /// A channel that has lived for this time counts as working.
    private static let longLife = TimeAmount.seconds(1)

    /// - Parameters:
    /// - descriptor: Bound. This object owns it from now on.
    /// - open: Makes a channel that owns the duplicate.
    /// - changed: Called with false when reading stops, and with true when it has worked again for a second.
    package init(
        _ descriptor: CInt, loop: any EventLoop, open: @escaping (CInt) -> Channels,
        changed: @escaping (_ isRead: Bool) -> Void
    ) {
        (self.descriptor, self.loop, self.open, self.changed) = (descriptor, loop, open, changed)
    }

    package func start() {
        state = .opening
        let bound = NIOLoopBound(self, eventLoop: loop)
        do throws(SystemSocket.Failure) {
            open(try SystemSocket.duplicate(descriptor)).whenComplete { bound.value.opened($0) }
        } catch {
            pause()
        }
    }

    package func close() {
        switch state {
        case .idle, .opening: break
        case .open(let channel, let proof):
            proof.cancel()
            channel.close(promise: nil)
        case .pausing(let task): task.cancel()
        case .closed: return
        }
        state = .closed
        SystemSocket.release(descriptor)
    }

    private func opened(_ result: Result<any Channel, any Error>) {
        guard case .opening = state else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        switch result {
        case .failure: pause()
        case .success(let channel):
            let bound = NIOLoopBound(self, eventLoop: loop)
            let proof = loop.scheduleTask(in: Self.longLife) { bound.value.proved() }
            state = .open(channel, proof: proof)
            channel.closeFuture.whenComplete { _ in bound.value.lost() }
        }
    }

    private func proved() {
        guard case .open = state, pauses.failures > 0 else { return }
        pauses.failures = 0
        changed(true)
    }

    private func lost() {
        guard case .open(_, let proof) = state else { return }
        proof.cancel()
        reopenings += 1
        // A channel that fails again at once is reopened after a pause, to avoid an endless loop.
        guard pauses.failures == 0 else { return pause() }
        pauses.failures = 1
        changed(false)
        start()
    }

    private func pause() {
        if pauses.failures == 0 { changed(false) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        state = .pausing(loop.scheduleTask(in: pauses.next()) { bound.value.start() })
    }
}

/// The pause before the next attempt. It doubles after each failed attempt, up to a limit.
struct GrowingPause {
    let first: TimeAmount
    let longest: TimeAmount
    /// Consecutive failures.
    var failures = 0

    /// More doublings would exceed any limit, and would overflow in the end.
    private static let mostDoublings = 16

    /// Counts another failed attempt, and returns the pause after it.
    mutating func next() -> TimeAmount {
        defer { failures += 1 }
        return min(longest, first * (1 << min(failures, Self.mostDoublings)))
    }
}
