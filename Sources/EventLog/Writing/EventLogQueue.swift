import Base

/// The items waiting to be written, from the control thread to the writer's thread.
///
/// A step that does not fit is lost. All steps after it are lost too, until the writer has caught up, so that a flood
/// causes one gap and not hundreds. The number of lost steps appears where they are missing.
public struct EventLogQueue: Sendable {
    public enum Item: Sendable {
        /// The value is boxed: a queue that grows moves a reference to it, not a whole phone.
        indirect case happening(Happening)
        /// This many steps are missing here.
        case lost(Int)
    }

    private var queue: BoundedQueue<Item>
    private var lost = 0

    /// - Precondition: `capacity` is at least 1.
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
