import Glibc
import NIOCore
import NIOPosix
import Platform

/// Calls back after the event loop has polled its sockets. Confined to the loop.
///
/// A task cannot do that, because the loop runs all tasks before it polls. An eventfd is one of the polled sockets. If
/// the machine has no descriptor left, a timer is used instead, which guarantees less.
final class TurnBell {
    private enum State {
        case opening(WakeSignal)
        case open(WakeSignal, any Channel)
        /// There is no descriptor.
        case lacking
        /// The loop polls no sockets, as in tests.
        case simulated
        case closed
    }

    private static let pause = TimeAmount.milliseconds(1)

    private let loop: any EventLoop
    private let rang: () -> Void
    private var state: State
    /// Whether the callback is still to come.
    private var isRinging = false

    init(loop: any EventLoop, rang: @escaping () -> Void) {
        (self.loop, self.rang) = (loop, rang)
        state = .simulated
        guard let bootstrap = NIOPipeBootstrap(validatingGroup: loop) else { return }
        do throws(SystemFailure) {
            let signal = try WakeSignal()
            state = .opening(signal)
            open(bootstrap, signal)
        } catch {
            state = .lacking
        }
    }

    /// Calls back once, even if it is rung several times before.
    func ring() {
        guard !isRinging else { return }
        isRinging = true
        switch state {
        case .opening(let signal), .open(let signal, _): signal.raise()
        case .lacking:
            loop.assumeIsolated().scheduleTask(in: Self.pause) { [weak self] in self?.heard() }
        case .simulated: loop.assumeIsolated().execute { [weak self] in self?.heard() }
        case .closed: return
        }
    }

    func close() {
        if case .open(_, let channel) = state { channel.close(promise: nil) }
        state = .closed
    }

    private func open(_ bootstrap: NIOPipeBootstrap, _ signal: WakeSignal) {
        // NIO owns and closes the duplicate.
        let duplicate = fcntl(signal.descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else {
            state = .lacking
            return
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        bootstrap
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener { bound.value.heard() })
                }
            }
            .takingOwnershipOfDescriptor(input: duplicate)
            .whenComplete { bound.value.opened($0) }
    }

    private func opened(_ result: Result<any Channel, any Error>) {
        switch (state, result) {
        case (.opening(let signal), .success(let channel)): state = .open(signal, channel)
        case (.opening, .failure):
            state = .lacking
            // A caller of `ring` is waiting.
            guard isRinging else { return }
            isRinging = false
            ring()
        case (_, .success(let channel)): channel.close(promise: nil)
        case (_, .failure): return
        }
    }

    private func heard() {
        isRinging = false
        guard !isClosed else { return }
        rang()
    }

    private var isClosed: Bool { if case .closed = state { true } else { false } }

    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let heard: () -> Void

        init(_ heard: @escaping () -> Void) { self.heard = heard }

        /// The bytes are the eventfd's count, which the read has reset to 0.
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { heard() }
    }
}
