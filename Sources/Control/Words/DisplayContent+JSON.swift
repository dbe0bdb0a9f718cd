import Base
import JSON
import PhoneCore

extension DisplayContent {
    var members: [String: JSONValue] {
        [
            "title": .string(title), "detail": .string(detail), "notes": .array(notes.map { .string($0) }),
            "since": since.map { .integer($0.nanoseconds) } ?? .null,
        ]
    }

    /// The contents, also laid out for a display of this size.
    func json(columns: Int, rows count: Int, at now: Instant) -> JSONValue {
        let rows = rows(columns: columns, count: count, at: now)
        return .object(members.merging(["rows": .array(rows.map { .string($0) })]) { own, _ in own })
    }
}
