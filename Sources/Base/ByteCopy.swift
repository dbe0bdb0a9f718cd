extension [UInt8] {
    /// Copies a sequence of bytes, in one allocation (none for no bytes).
    @inlinable
    public init(copying bytes: Span<UInt8>) {
        // The standard library copies a buffer at once, but a span one element at a time.
        self = unsafe bytes.withUnsafeBufferPointer { buffer in unsafe Array(buffer) }
    }

    /// Appends a sequence of bytes at once.
    @inlinable
    public mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in unsafe append(contentsOf: buffer) }
    }
}
