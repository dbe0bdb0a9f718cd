import Base
import Synchronization

/// What the vault has written since it was made.
public struct VaultStatistics: Equatable, Sendable {
    /// Changes that were put on the disk; several that waited for it were one.
    public var writes = 0
    /// The time that they took, together with those that failed.
    public var writing = Duration.zero
    /// Changes that the disk, or the vault itself, refused.
    public var failures = 0

    public init() {}
}

/// The counters behind `VaultStatistics`, counted by the vault's thread and read by any other.
final class VaultCounters: Sendable {
    private let writes = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    private let nanoseconds = Atomic<Int64>(0)

    func count(_ duration: Duration, isWritten: Bool) {
        if isWritten {
            writes.wrappingAdd(1, ordering: .relaxed)
        } else {
            failures.wrappingAdd(1, ordering: .relaxed)
        }
        nanoseconds.wrappingAdd(duration.nanoseconds, ordering: .relaxed)
    }

    var snapshot: VaultStatistics {
        var copy = VaultStatistics()
        copy.writes = writes.load(ordering: .relaxed)
        copy.failures = failures.load(ordering: .relaxed)
        copy.writing = .nanoseconds(nanoseconds.load(ordering: .relaxed))
        return copy
    }
}
