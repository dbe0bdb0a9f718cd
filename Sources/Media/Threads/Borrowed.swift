/// Somebody else's object, used without its references being counted: a real-time thread does not touch what other threads
/// write at the same time. The owner keeps it alive until the borrower has let go: see `CallRegistry`, `CallRecorder`, `FilePlayer`.
///
/// Plain bytes, so that it fits through rings. `@unchecked Sendable`: the object itself says what which thread may touch.
@safe
struct Borrowed<Object: AnyObject>: BitwiseCopyable, @unchecked Sendable {
    private let raw: Unmanaged<Object>

    init(_ object: Object) { unsafe raw = .passUnretained(object) }

    /// Lends the object. Whoever keeps it beyond `body` counts references again.
    @inline(__always)
    func use<Result>(_ body: (Object) -> Result) -> Result { unsafe raw._withUnsafeGuaranteedRef { body($0) } }

    /// Whether both are of the same object.
    static func === (one: Self, other: Self) -> Bool { unsafe one.raw.toOpaque() == other.raw.toOpaque() }
}
