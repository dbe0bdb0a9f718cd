import Base

/// What waits to be written, between the control thread and the writer's.
///
/// A step for which there is no room is lost, and so is all that follows until the writer has caught up: a flood costs
/// one gap, not hundreds. How many were lost comes out where they are missing.
public struct EventLogQueue: Sendable {
    public enum Item: Sendable {
        /// In a box of its own, so that room for many costs nothing until they come.
        indirect case happening(Happening)
        /// So many are missing here.
        case lost(Int)
    }

    private var queue: BoundedQueue<Item>
    private var lost = 0

    /// - Precondition: room for one step at least.
    public init(capacity: Int) { queue = BoundedQueue(capacity: capacity) }

    public var isEmpty: Bool { queue.isEmpty && lost == 0 }

    public mutating func put(_ happening: Happening) {
        if lost > 0 || queue.push(.happening(happening)) != .queued { lost += 1 }
    }

    /// The next item, oldest first.
    public mutating func take() -> Item? {
        if let item = queue.pop() { return item }
        guard lost > 0 else { return nil }
        defer { lost = 0 }
        return .lost(lost)
    }
}
