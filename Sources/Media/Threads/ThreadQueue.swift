import Base
import Platform
import Synchronization

/// Messages from exactly one thread to exactly one other, which each message wakes.
///
/// `send` and `receive` are wait-free and allocate nothing.
final class ThreadQueue<Message: BitwiseCopyable & Sendable>: Sendable {
    private let ring: SPSCRing<Message?>
    private let wake: WakeSignal

    init(capacity: Int, wake: WakeSignal) {
        ring = SPSCRing(capacity: capacity, filler: nil)
        self.wake = wake
    }

    /// False when the queue is full; the sender counts or reports that.
    func send(_ message: Message) -> Bool {
        let isSent = ring.push(message)
        wake.raise()
        return isSent
    }

    func receive() -> Message? { ring.pop() ?? nil }
}

/// A reference to an object that another thread owns. It does not count references, because a real-time thread must not
/// write to memory that other threads write at the same time. The owner keeps the object alive until the borrower has
/// released it: see `CallRegistry`, `CallRecorder`, `FilePlayer`.
///
/// It is plain bytes, so that it fits through rings. `@unchecked Sendable`: the object's documentation says which
/// thread may use which part.
@safe
struct Borrowed<Object: AnyObject>: BitwiseCopyable, @unchecked Sendable {
    private let raw: Unmanaged<Object>

    init(_ object: Object) { unsafe raw = .passUnretained(object) }

    /// Lends the object. A caller that keeps it beyond `body` counts references again.
    @inline(__always)
    func use<Result>(_ body: (Object) -> Result) -> Result { unsafe raw._withUnsafeGuaranteedRef { body($0) } }

    /// Whether both refer to the same object.
    static func === (one: Self, other: Self) -> Bool { unsafe one.raw.toOpaque() == other.raw.toOpaque() }
}

/// A buffer of samples or bytes of fixed size for one thread. Only `init` allocates.
///
/// It can be lent while other parts of its owner change. Never lend it twice at the same time, because the two uses
/// would overlap.
@safe
struct Workspace<Element: BitwiseCopyable>: ~Copyable {
    private let memory: UnsafeMutableBufferPointer<Element>

    init(count: Int, filler: Element) {
        unsafe memory = .allocate(capacity: count)
        unsafe memory.initialize(repeating: filler)
    }

    deinit { unsafe memory.deallocate() }

    var count: Int { unsafe memory.count }
    var all: Range<Int> { 0..<count }

    subscript(index: Int) -> Element {
        get {
            precondition(all.contains(index), "outside the workspace")
            return unsafe memory[index]
        }
        nonmutating set {
            precondition(all.contains(index), "outside the workspace")
            unsafe memory[index] = newValue
        }
    }

    func read<Result>(_ range: Range<Int>, _ body: (Span<Element>) -> Result) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "outside the workspace")
        return unsafe body(UnsafeBufferPointer(rebasing: memory[range]).span)
    }

    func write<Result>(_ range: Range<Int>, _ body: (inout MutableSpan<Element>) -> Result) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "outside the workspace")
        var span = unsafe UnsafeMutableBufferPointer(rebasing: memory[range]).mutableSpan
        return body(&span)
    }
}
