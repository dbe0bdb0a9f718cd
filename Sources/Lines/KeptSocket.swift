import NIOCore

/// A bound socket that stays open as long as its line, whatever happens to the channel that reads it.
///
/// NIO closes a channel at every error that it does not know to be harmless. It is given a duplicate of the socket: what
/// it closes is that, and the socket itself keeps its port and what has arrived, and is read through another duplicate,
/// at once or after growing pauses while this fails. Confined to its loop.
package final class KeptSocket {
    package typealias Channels = EventLoopFuture<any Channel>

    private enum State {
        case idle
        case opening
        case open(any Channel)
        case pausing(Scheduled<Void>)
        case closed
    }

    /// For what bypasses the channel.
    package let descriptor: CInt
    /// How often reading had to begin again.
    package private(set) var reopenings = 0
    private let loop: any EventLoop
    private let open: (CInt) -> Channels
    private var state = State.idle
    /// In a row.
    private var failures = 0

    /// Before the first attempt that follows one that failed, and at most.
    private static let pauses: (first: TimeAmount, longest: TimeAmount) = (.milliseconds(50), .seconds(2))
    /// A channel that lived for so long did not fail at its opening.
    private static let longLife = TimeAmount.seconds(1)

    /// - Parameters:
    ///   - descriptor: Bound; from now on owned by this.
    ///   - open: Makes a channel of a duplicate, which the channel then owns.
    package init(_ descriptor: CInt, loop: any EventLoop, open: @escaping (CInt) -> Channels) {
        (self.descriptor, self.loop, self.open) = (descriptor, loop, open)
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
        case .open(let channel): channel.close(promise: nil)
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
            state = .open(channel)
            let bound = NIOLoopBound(self, eventLoop: loop)
            let since = NIODeadline.now()
            channel.closeFuture.whenComplete { _ in bound.value.lost(since: since) }
        }
    }

    private func lost(since: NIODeadline) {
        guard case .open = state else { return }
        reopenings += 1
        if NIODeadline.now() - since > Self.longLife { failures = 0 }
        // What fails at once again and again is not tried without end.
        guard failures == 0 else { return pause() }
        failures = 1
        start()
    }

    private func pause() {
        let pause = min(Self.pauses.longest, Self.pauses.first * (1 << min(failures, 6)))
        failures += 1
        let bound = NIOLoopBound(self, eventLoop: loop)
        state = .pausing(loop.scheduleTask(in: pause) { bound.value.start() })
    }
}
