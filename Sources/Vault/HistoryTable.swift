import Base
import PhoneCore

/// One call of the past, by the wall clock.
public struct HistoryRecord: Equatable, Sendable {
    /// Grows with each call recorded.
    public let id: Int64
    public let direction: CallSummary.Direction
    public let number: String
    public let name: String?
    public let account: AccountID
    public let started: WallTime
    public let answered: WallTime?
    public let ended: WallTime
    public let reason: EndReason
    public let missed: Bool
    /// Whether a person has been shown this missed call.
    public let seen: Bool
    public let quality: VoiceQuality?
}

/// The table of past calls: the newest `VaultFile.historyMaximum`.
extension Database {
    func insertHistory(_ entry: HistoryEntry, _ now: VaultClock.Reading) throws(SQLiteError) {
        let quality = entry.quality
        try run(
            """
            INSERT INTO history (direction, number, name, account, started_ms, answered_ms, ended_ms, reason, missed,
                has_quality, opinion_score, jitter_ms, round_trip_ms, loss_percent, concealed_percent, buffer_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(entry.direction.rawValue), .text(limited(entry.number)), SQLValue(entry.name.map(limited)),
                .integer(entry.account.rawValue), .integer(now.wallTime(of: entry.started).unixMilliseconds),
                SQLValue(entry.answered.map { now.wallTime(of: $0).unixMilliseconds }),
                .integer(now.wallTime(of: entry.ended).unixMilliseconds), .text(entry.reason.stored),
                SQLValue(entry.missed), SQLValue(quality != nil), SQLValue(quality?.opinionScore),
                SQLValue(quality?.jitterMilliseconds), SQLValue(quality?.roundTripMilliseconds),
                SQLValue(quality?.lossPercent), SQLValue(quality?.concealedPercent),
                SQLValue(quality?.bufferMilliseconds),
            ])
        try run(
            "DELETE FROM history WHERE id <= (SELECT id FROM history ORDER BY id DESC LIMIT 1 OFFSET ?)",
            [.integer(Int64(VaultFile.historyMaximum))])
    }

    /// Newest first.
    func history(limit: Int) throws(SQLiteError) -> [HistoryRecord] {
        try rows(
            """
            SELECT id, direction, number, name, account, started_ms, answered_ms, ended_ms, reason, missed, seen,
                has_quality, opinion_score, jitter_ms, round_trip_ms, loss_percent, concealed_percent, buffer_ms
            FROM history ORDER BY id DESC LIMIT ?
            """, [.integer(Int64(limit))]
        ) { (row) throws(SQLiteError) in
            guard let direction = CallSummary.Direction(rawValue: try row.text(1)),
                let reason = EndReason(stored: try row.text(8))
            else { throw .unexpected("a past call has an unknown direction or end") }
            return HistoryRecord(
                id: try row.integer(0), direction: direction, number: try row.text(2), name: try row.optionalText(3),
                account: AccountID(try row.integer(4)),
                started: WallTime(unixMilliseconds: try row.integer(5)),
                answered: try row.optionalInteger(6).map { WallTime(unixMilliseconds: $0) },
                ended: WallTime(unixMilliseconds: try row.integer(7)), reason: reason, missed: try row.flag(9),
                seen: try row.flag(10), quality: try row.flag(11) ? try Database.quality(row) : nil)
        }
    }

    func missedUnseen() throws(SQLiteError) -> Int {
        Int(try number("SELECT count(*) FROM history WHERE missed = 1 AND seen = 0"))
    }

    func markMissedSeen() throws(SQLiteError) {
        try run("UPDATE history SET seen = 1 WHERE missed = 1 AND seen = 0")
    }

    private static func quality(_ row: borrowing Statement) throws(SQLiteError) -> VoiceQuality {
        VoiceQuality(
            opinionScore: try row.optionalReal(12), jitterMilliseconds: try row.optionalReal(13),
            roundTripMilliseconds: try row.optionalReal(14), lossPercent: try row.optionalReal(15),
            concealedPercent: try row.optionalReal(16), bufferMilliseconds: try row.optionalReal(17))
    }
}

/// Who calls is hostile text; its length decides nothing here.
func limited(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(VaultFile.callTextMaximum)))
}
