import Synchronization

/// A wait-free queue from exactly one producer thread to exactly one consumer thread.
///
/// Neither side allocates, locks or retains: both may be real-time threads. `capacity` is a power of two.
/// A full ring refuses an element; the producer counts refused elements.
/// - Note: `@unchecked Sendable` because the compiler cannot see that only one side uses `slots[i]` at a time. A slot
///   belongs to the producer until `tail` passes it, then to the consumer until `head` does.
@safe
public struct SPSCRing<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let slots: UnsafeMutableBufferPointer<Element>
    /// The number of elements ever taken. Stored only by the consumer.
    @usableFromInline let head = Atomic<Int>(0)
    /// The number of elements ever put. Stored only by the producer.
    @usableFromInline let tail = Atomic<Int>(0)

    public init(capacity: Int, filler: Element) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "capacity must be a power of two")
        unsafe slots = .allocate(capacity: capacity)
        unsafe slots.initialize(repeating: filler)
    }

    deinit { unsafe slots.deallocate() }

    /// The number of waiting elements. The consumer can take at least this many. The producer can put at least the
    /// capacity minus this number.
    @inlinable public var count: Int {
        tail.load(ordering: .acquiring) &- head.load(ordering: .acquiring)
    }

    /// Producer only. False when full.
    @inlinable public func push(_ element: Element) -> Bool {
        let end = tail.load(ordering: .relaxed)
        guard unsafe end &- head.load(ordering: .acquiring) < slots.count else { return false }
        unsafe slots[end & (slots.count &- 1)] = element
        tail.store(end &+ 1, ordering: .releasing)
        return true
    }

    /// Consumer only. Nil when empty.
    @inlinable public func pop() -> Element? {
        let start = head.load(ordering: .relaxed)
        guard start != tail.load(ordering: .acquiring) else { return nil }
        let element = unsafe slots[start & (slots.count &- 1)]
        head.store(start &+ 1, ordering: .releasing)
        return element
    }
}
