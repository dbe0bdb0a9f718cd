import Base
import PhoneCore

/// Turns the steps of the phone into the bytes of an event log. It touches no file: the owner of the file carries out
/// its orders.
///
/// Every file begins with the machine's state before its first event, so that each file can be replayed on its own.
/// One thread owns it. A step costs tens of microseconds, and about three times as many if something is hidden.
public struct EventLogWriter {
    public enum Order: Equatable, Sendable {
        /// Close the file, keep it as the older one, and continue with a new one.
        case turnOver
        /// Whole lines, with their ends.
        case append([UInt8])
    }

    private let program: String
    /// Limit of bytes in a file. The first event with its header may exceed it, and so may the last line about lost
    /// steps.
    private let limit: Int
    private let privacy: Privacy
    /// Nil: the next step begins a file.
    private var file: EventLogFile?
    private var isFresh = true

    /// - Parameters:
    ///   - program: The version of the program.
    ///   - limit: Limit of bytes in a file. Positive.
    ///   - privacy: What to hide, besides secrets.
    public init(program: String, limit: Int, privacy: Privacy) {
        precondition(limit > 0, "the limit is positive")
        self.program = program
        self.limit = limit
        self.privacy = privacy
    }

    /// Returns the orders, in sequence. After an error the event log must end, because it lacks a step.
    public mutating func write(_ item: EventLogQueue.Item) throws(EventLogError) -> [Order] {
        switch item {
        case .lost(let count): try close(saying: count)
        case .happening(let happening): try write(happening)
        }
    }

    private mutating func write(_ happening: Happening) throws(EventLogError) -> [Order] {
        if let line = try file?.line(for: happening), let room = file?.room, line.count <= room {
            file?.append(line)
            return [.append(line)]
        }
        var next = EventLogFile(limit: limit)
        let header = try next.begin(with: happening.machine, program: program, privacy: privacy)
        let line = try next.line(for: happening)
        next.append(header + line)
        defer { (file, isFresh) = (next, false) }
        return (isFresh ? [] : [.turnOver]) + [.append(header + line)]
    }

    /// Writes the number of missing steps as the file's last line. The next step begins another file.
    private mutating func close(saying lost: Int) throws(EventLogError) -> [Order] {
        defer { file = nil }
        return try file.map { file throws(EventLogError) in [.append(try file.line(.lost(lost)))] } ?? []
    }
}
