/// A first-in first-out queue that never grows past its capacity and never drops an element unless it is repeatable.
///
/// Some elements are *repeatable* (a duration tick, a level): a later one repeats the same. When the queue is full, the
/// oldest repeatable element is dropped for the new one. Without one, the new element is refused, and its sender must
/// act on that. Both cases are counted. Cost: O(1), amortised; O(n) on overflow. Its memory is in proportion to the
/// most that it ever held.
public struct BoundedQueue<Element: Sendable>: Sendable {
    public enum Admission: Equatable, Sendable {
        case queued
        /// The element was queued, and an older repeatable one was dropped for it.
        case displaced
        case refused
    }

    public let capacity: Int
    /// Elements that were dropped or refused since the start.
    public private(set) var lost = 0

    private var elements: [Element] = []
    private var head = 0
    private let isRepeatable: @Sendable (Element) -> Bool

    public init(capacity: Int, isRepeatable: @escaping @Sendable (Element) -> Bool = { _ in false }) {
        precondition(capacity > 0, "a queue holds at least one element")
        self.capacity = capacity
        self.isRepeatable = isRepeatable
    }

    public var count: Int { elements.count - head }
    public var isEmpty: Bool { count == 0 }

    public mutating func push(_ element: Element) -> Admission {
        guard count == capacity else {
            elements.append(element)
            return .queued
        }
        lost += 1
        if let victim = elements[head...].firstIndex(where: isRepeatable) {
            elements.remove(at: victim)
            elements.append(element)
            return .displaced
        }
        return .refused
    }

    public mutating func pop() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
