/// What was done with events since the start.
public struct ProgramStatistics: Equatable, Sendable {
    /// Why an event was given to no program.
    public enum Limit: String, CaseIterable, Sendable { case running, rate }
    public enum Failure: String, CaseIterable, Sendable { case cannotStart, exit, tooLong }

    public var started = 0
    public var failed: [Failure: Int] = [:]
    public var dropped: [Limit: Int] = [:]

    public init() {}
}
