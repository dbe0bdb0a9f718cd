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
