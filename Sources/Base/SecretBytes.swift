/// Secret bytes that are in memory once: copies share them, and the last one to go wipes them.
///
/// It compares as its bytes do, and every way of printing it prints a placeholder.
public struct SecretBytes: Sendable {
    /// `@unchecked Sendable`: the bytes are written before anybody else has them, and wiped when nobody has.
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

    /// - Parameter next: Gives the bytes one by one, in their order.
    public init(count: Int, next: () -> UInt8) {
        storage = Storage(count: count)
        for place in 0..<count { unsafe storage.bytes[place] = next() }
    }

    /// Takes the bytes over. What the caller has of them is wiped, unless somebody else has a copy.
    public init(taking bytes: inout [UInt8]) {
        self.init(bytes)
        unsafe bytes.withUnsafeMutableBufferPointer { unsafe wipe($0) }
        bytes = []
    }

    /// A copy of bytes that somebody else has to wipe.
    public init(_ bytes: some Collection<UInt8>) {
        storage = Storage(count: bytes.count)
        _ = unsafe storage.bytes.update(fromContentsOf: bytes)
    }

    public var count: Int { unsafe storage.bytes.count }

    /// The bytes, for as long as `body` takes: a copy of them would be wiped by nobody.
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(storage) { try unsafe body(UnsafeBufferPointer(storage.bytes)) }
    }
}

/// Not optimised: else the compiler would see that nobody reads the zeros.
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
