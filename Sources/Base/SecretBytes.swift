/// Secret bytes that are in memory only once: copies share them, and they are wiped when the last copy is released.
///
/// It compares as its bytes do, and every way of printing it prints a placeholder.
public struct SecretBytes: Sendable {
    /// `@unchecked Sendable`: the bytes are written before they are shared, and wiped when no reference is left.
    @safe
    private final class Storage: @unchecked Sendable {
        let bytes: UnsafeMutableBufferPointer<UInt8>

        init(count: Int) {
            unsafe bytes = .allocate(capacity: count)
            unsafe bytes.initialize(repeating: 0)
        }

        deinit {
            unsafe wipe(bytes)
            unsafe bytes.deallocate()
        }
    }

    private let storage: Storage

    /// - Parameter next: Returns the bytes one by one, in their order.
    public init(count: Int, next: () -> UInt8) {
        storage = Storage(count: count)
        for place in 0..<count { unsafe storage.bytes[place] = next() }
    }

    /// Takes over the bytes. The caller's array is wiped, unless another array shares its storage.
    public init(taking bytes: inout [UInt8]) {
        self.init(bytes)
        unsafe bytes.withUnsafeMutableBufferPointer { unsafe wipe($0) }
        bytes = []
    }

    /// Copies bytes. The owner of the original must wipe it.
    public init(_ bytes: some Collection<UInt8>) {
        storage = Storage(count: bytes.count)
        _ = unsafe storage.bytes.update(fromContentsOf: bytes)
    }

    public var count: Int { unsafe storage.bytes.count }

    /// Passes the bytes to `body`. It must not keep a copy of them, because no code would wipe the copy.
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(storage) { try unsafe body(UnsafeBufferPointer(storage.bytes)) }
    }
}

/// Not optimised, because the compiler would otherwise omit the writes: no code reads the zeros.
@_optimize(none)
private func wipe(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    for place in bytes.indices { unsafe bytes[place] = 0 }
}

extension SecretBytes: Hashable {
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        unsafe left.withBytes { left in unsafe right.withBytes { unsafe left.elementsEqual($0) } }
    }

    public func hash(into hasher: inout Hasher) {
        unsafe withBytes { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension SecretBytes: Pseudonymous {
    public static func pseudonym(_ number: Int) -> SecretBytes { SecretBytes(Array("secret-\(number)".utf8)) }
}

extension SecretBytes: Codable {
    /// Never writes the secret: see `Redacted`.
    public func encode(to encoder: any Encoder) throws { try Redacted(self).encode(to: encoder) }

    public init(from decoder: any Decoder) throws { self = try Redacted<SecretBytes>(from: decoder).reveal() }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹redacted›" }
    public var debugDescription: String { description }
    /// Empty, so that `dump` and failing tests show nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether two secrets are equal, in a time that reveals neither where they differ nor whether their lengths differ.
///
/// - Parameter length: The maximum length of both, which is public. Every comparison takes this number of steps.
/// - Precondition: neither is longer.
public func equalsInConstantTime(_ secret: [UInt8], _ tried: [UInt8], length: Int) -> Bool {
    precondition(secret.count <= length && tried.count <= length, "the public length is that of the longest secret")
    var difference = secret.count ^ tried.count
    for index in 0..<length {
        // Past its end, a text is repeated from its start, so that every step reads and compares one byte of each.
        let left = secret.isEmpty ? 0 : secret[index % secret.count]
        let right = tried.isEmpty ? 0 : tried[index % tried.count]
        difference |= Int(left ^ right)
    }
    return difference == 0
}
