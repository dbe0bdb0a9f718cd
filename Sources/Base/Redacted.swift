/// A secret. It compares and copies like its value, and every way of printing it prints a placeholder.
///
/// Only `reveal()` gives the value, so that each use of a secret can be found by searching for this name.
public struct Redacted<Secret: Sendable>: Sendable {
    private let secret: Secret

    public init(_ secret: Secret) { self.secret = secret }

    public func reveal() -> Secret { secret }
}

extension Redacted: Equatable where Secret: Equatable {}
extension Redacted: Hashable where Secret: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹redacted›" }
    public var debugDescription: String { description }
    /// Empty, so that `dump` and failing tests show nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
