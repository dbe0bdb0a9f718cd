import Base

/// The text on a phone's display: a function of the phone's state, as the lamps are.
///
/// It does not depend on the time. `rows` lays it out for a display's size and for now.
public struct DisplayContent: Equatable, Codable, Sendable {
    /// The subject: a caller, the digits dialled so far, whether the phone can be reached.
    public var title: String
    /// The subject's state. Empty: none.
    public var detail: String
    /// When the call came up. Its duration is shown after the detail.
    public var since: Instant?
    /// Notes for the person, the most important first.
    public var notes: [String]
    /// An address that a display with dots also shows as a QR code. Nil: none.
    public var address: String?

    public init(
        title: String, detail: String = "", since: Instant? = nil, notes: [String] = [], address: String? = nil
    ) {
        self.title = title
        self.detail = detail
        self.since = since
        self.notes = notes
        self.address = address
    }

    /// How long each part of the notes is shown when not all of them fit.
    private static let pageTime = Duration.seconds(3)

    /// The rows of a display: the title, then detail and time, then notes. Notes that do not all fit take turns; on a
    /// display of two rows the detail takes turns with them.
    /// - Parameters:
    ///   - columns: Characters of a row; longer texts are cut.
    ///   - count: At least 2.
    /// - Returns: `count` rows of `columns` characters each, filled with spaces.
    public func rows(columns: Int, count: Int, at now: Instant) -> [String] {
        precondition(columns > 0 && count >= 2, "a display has room")
        let detail = hasDetail ? [detailRow(columns, at: now)] : []
        let room = room(of: count)
        let turning = room == count - 1 ? detail + notes : notes
        let first = page(of: turning.count, in: room, at: now) * room
        var rows = [title] + (room == count - 1 ? [] : detail)
        rows += turning.dropFirst(first).prefix(room)
        rows += Array(repeating: "", count: count - rows.count)
        return rows.map { Self.fit($0, columns) }
    }

    /// When the rows change by themselves; nil: never.
    public func nextChange(count: Int, after now: Instant) -> Instant? {
        let second = since.map { now + .seconds(1) - Self.rest(of: now - $0, by: .seconds(1)) }
        let room = room(of: count)
        let turning = notes.count + (room == count - 1 && hasDetail ? 1 : 0)
        guard turning > room else { return second }
        return .earliest(second, now + Self.pageTime - Self.rest(of: now - Instant.zero, by: Self.pageTime))
    }

    private var hasDetail: Bool { !detail.isEmpty || since != nil }

    /// The number of rows whose content may take turns.
    private func room(of count: Int) -> Int { hasDetail && count > 2 ? count - 2 : count - 1 }

    private func page(of turning: Int, in room: Int, at now: Instant) -> Int {
        let pages = max(1, (turning + room - 1) / room)
        return Int((now - Instant.zero).nanoseconds / Self.pageTime.nanoseconds) % pages
    }

    /// The detail, and at the right end of the row how long the call is up.
    private func detailRow(_ columns: Int, at now: Instant) -> String {
        guard let since else { return detail }
        let seconds = max(0, (now - since).nanoseconds) / 1_000_000_000
        let time = CallSummary.durationText(seconds: Int(seconds))
        return Self.fit(detail, max(0, columns - time.count - 1)) + " " + time
    }

    private static func rest(of time: Duration, by period: Duration) -> Duration {
        .nanoseconds(max(0, time.nanoseconds) % period.nanoseconds)
    }

    /// Cuts the text or fills it with spaces. Control characters, which no display has, become spaces.
    private static func fit(_ text: String, _ columns: Int) -> String {
        let visible = text.prefix(columns).map { $0.isNewline || $0.asciiValue.map { $0 < 32 } ?? false ? " " : $0 }
        return String(visible) + String(repeating: " ", count: columns - visible.count)
    }
}
