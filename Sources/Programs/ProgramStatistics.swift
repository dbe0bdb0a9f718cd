/// Counts of programs and dropped events since the start.
public struct ProgramStatistics: Equatable, Sendable {
    /// Why an event was dropped.
    public enum Limit: String, CaseIterable, Sendable { case running, rate }
    public enum Failure: String, CaseIterable, Sendable { case cannotStart, exit, tooLong }

    public var started = 0
    public var failed: [Failure: Int] = [:]
    public var dropped: [Limit: Int] = [:]

    public init() {}
}
