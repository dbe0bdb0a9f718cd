import Commands
import EventLog
import Glibc
import Platform

struct ReplayCommand {
    static var command: Command {
        Command(
            "replay", "Replay an event log to a phone without devices, and print the timeline.",
            discussion: "Exits 0 only if every event had the recorded effects.",
            example: "offhook replay events.jsonl",
            Parameter.argument("file", "Event log that `offhook run --record` wrote.", .file()),
            Parameter.flag("quiet", "Print only the verdict.")
        ) { try ReplayCommand(file: $0, quiet: $1).run() }
    }

    private static let chunk = 1 << 16

    let file: String
    let quiet: Bool

    private func run() throws {
        let log = try FileDescriptor(named: file, O_RDONLY)
        do {
            let verdict = try replay(log.number)
            print(verdict.lines.joined(separator: "\n"))
        } catch let error as ReplayError {
            // The lines so far lead to the error, so write them first.
            try StandardOutput.flush()
            throw CommandError("\(file): \(error)")
        }
    }

    private func replay(_ descriptor: Int32) throws -> Replay.Verdict {
        var replay = Replay()
        while let bytes = try next(from: descriptor) {
            try replay.take(bytes) { step in
                if !quiet { print(step.lines.joined(separator: "\n")) }
            }
        }
        return try replay.finish()
    }

    /// Nil at the end.
    private func next(from descriptor: Int32) throws(CommandError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Self.chunk)
        var count = unsafe read(descriptor, &bytes, bytes.count)
        while count < 0, errno == EINTR { count = unsafe read(descriptor, &bytes, bytes.count) }
        guard count >= 0 else { throw CommandError("\(file): \(SystemError.last)") }
        return count == 0 ? nil : Array(bytes[..<count])
    }
}
