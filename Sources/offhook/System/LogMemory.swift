import Base
import JSON
import Logging
import Platform
import Synchronization

/// The last lines of a running phone's log, for `getLog`. Only in memory: a restart forgets them. From any thread.
package final class LogMemory: Sendable {
    /// Lines that are kept. With `longest`, all of them take at most 200 KB.
    package static let capacity = 400
    /// The limit of a kept line, in bytes.
    package static let longest = 512

    private struct Line: Sendable {
        /// In milliseconds since 1970.
        let time: Int64
        let level: Logger.Level
        let text: String
    }

    private struct Lines: Sendable {
        /// A ring: line n is at n modulo the capacity.
        var kept: [Line] = []
        /// The number of lines since the start, which is also the number of the last line.
        var count: Int64 = 0
    }

    private let lines = Mutex(Lines())

    package init() {}

    package func append(_ text: String, _ level: Logger.Level) {
        let time = RealTimeClock.now() / 1_000_000
        let line = Line(time: time, level: level, text: text.shown(bytes: Self.longest))
        lines.withLock { lines in
            lines.count += 1
            if lines.kept.count < Self.capacity {
                lines.kept.append(line)
            } else {
                lines.kept[Int((lines.count - 1) % Int64(Self.capacity))] = line
            }
        }
    }

    /// The kept lines after this number, in order: the answer to `getLog`.
    package func json(after: Int64) -> JSONValue {
        let (lines, count) = lines.withLock { ($0.kept, $0.count) }
        let first = max(0, min(after, count), count - Int64(lines.count))
        let members = (first..<count).map { index -> JSONValue in
            let line = lines[Int(index % Int64(Self.capacity))]
            return [
                "time": .integer(line.time), "level": .string(line.level.rawValue), "text": .string(line.text),
            ]
        }
        return ["lines": .array(members), "last": .integer(count), "lost": .integer(max(0, first - after))]
    }
}
