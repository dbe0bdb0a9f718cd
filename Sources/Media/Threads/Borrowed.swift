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
