import Base
import NIOCore
import Platform

/// Bounds the work that one adapter does in one turn of its event loop.
///
/// NIO runs every task that is ready, also tasks that tasks add, before it polls its sockets again. So work in tasks
/// delays every socket until the work is done. Here work beyond the share of a turn waits in a queue, and the loop
/// polls its sockets before the queue goes on. The queue is served in order, one piece each time.
///
/// Each kind of work has its own budget, so that a flood of one kind delays no other kind by more than the share. A
/// piece that has begun is not interrupted: each piece must be small. Cost: two readings of the clock a piece. Confined
/// to the loop.
public final class TurnBudget {
    /// Counts and times, for tests and for metrics.
    public struct Statistics: Equatable, Sendable {
        /// Pieces of work since the start.
        public internal(set) var pieces = 0
        /// Pieces that had to wait for another turn.
        public internal(set) var delayed = 0
        /// The most pieces in one turn.
        public internal(set) var mostInTurn = 0
        /// The longest time that the pieces of one turn took together.
        public internal(set) var longestTurn = Duration.zero
        /// The pieces that wait now.
        public internal(set) var waiting = 0
    }

    /// The time that the pieces of one turn may take. It is long enough for some requests of a browser. It is short
    /// enough that all budgets of the control loop together delay no call by more than a few milliseconds.
    public static let usualShare = Duration.milliseconds(1)

    /// The part of the share that one turn has used.
    private struct Turn {
        var spent = Duration.zero
        var pieces = 0
    }

    private let share: Duration
    private let loop: any EventLoop
    private var bell: TurnBell?
    /// Nil while the present turn has done nothing.
    private var turn: Turn?
    /// When the piece that runs now began. A piece may ask for another one.
    private var began: Instant?
    private var queue = CircularBuffer<() -> Void>()
    private var counted = Statistics()
    private var isClosed = false

    public init(loop: any EventLoop, share: Duration = TurnBudget.usualShare) {
        (self.loop, self.share) = (loop, share)
    }

    public var statistics: Statistics {
        var statistics = counted
        statistics.waiting = queue.count
        return statistics
    }

    /// Does a piece of work: now, or after all waiting work if the share of this turn is used up.
    ///
    /// After `close` the work is dropped.
    public func run(_ piece: @escaping () -> Void) {
        guard !isClosed else { return }
        guard queue.isEmpty, hasRoom else {
            counted.delayed += 1
            queue.append(piece)
            return ring()
        }
        perform(piece)
    }

    /// Does one piece of work after the other until there are no more, as far as turns have room for them.
    /// - Parameter piece: Returns whether there may be another piece.
    public func runAll(_ piece: @escaping () -> Bool) {
        var goesOn = true
        while goesOn, queue.isEmpty, hasRoom, !isClosed { perform { goesOn = piece() } }
        if goesOn { run { [self] in runAll(piece) } }
    }

    /// Drops the waiting work.
    public func close() {
        isClosed = true
        queue = []
        bell?.close()
        bell = nil
    }

    private var hasRoom: Bool {
        guard let turn else { return true }
        let running = began.map { MonotonicClock.now() - $0 } ?? .zero
        return turn.spent + running < share
    }

    private func perform(_ piece: () -> Void) {
        beginTurn()
        counted.pieces += 1
        turn?.pieces += 1
        // The time of a piece within another one counts once.
        guard began == nil else { return piece() }
        let start = MonotonicClock.now()
        began = start
        piece()
        began = nil
        turn?.spent += MonotonicClock.now() - start
    }

    /// Begins a turn. The task that ends it runs after the sockets that are ready now.
    private func beginTurn() {
        guard turn == nil else { return }
        turn = Turn()
        loop.assumeIsolated().execute { [weak self] in self?.endTurn() }
    }

    private func endTurn() {
        guard let ended = turn else { return }
        turn = nil
        counted.mostInTurn = max(counted.mostInTurn, ended.pieces)
        counted.longestTurn = max(counted.longestTurn, ended.spent)
    }

    private func ring() {
        if bell == nil { bell = TurnBell(loop: loop) { [weak self] in self?.goOn() } }
        bell?.ring()
    }

    /// The loop has polled its sockets.
    private func goOn() {
        while let piece = queue.first, hasRoom {
            queue.removeFirst()
            perform(piece)
        }
        if !queue.isEmpty { ring() }
    }
}
