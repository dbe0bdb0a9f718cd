/// A program and the events that start it.
public struct ProgramRule: Equatable, Sendable {
    /// The events, by their names in the control interface.
    public var events: Set<String>
    /// The program's absolute path, and its arguments.
    public var command: [String]
    /// After this time the program is ended.
    public var timeLimit: Duration

    /// - Precondition: the command begins with an absolute path.
    public init(events: Set<String>, command: [String], timeLimit: Duration) {
        precondition(command.first?.hasPrefix("/") == true, "a program is named by its absolute path")
        (self.events, self.command, self.timeLimit) = (events, command, timeLimit)
    }

    var program: String { command[0] }
}
