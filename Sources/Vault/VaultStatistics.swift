import Base
import Synchronization

/// Counts of the vault's writes since it was made.
public struct VaultStatistics: Equatable, Sendable {
    /// Writes to the disk; changes written together count as one.
    public var writes = 0
    /// The time for writing, including failed writes.
    public var writing = Duration.zero
    /// Changes that the disk, or the vault itself, rejected.
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
