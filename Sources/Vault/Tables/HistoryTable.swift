import Base
import PhoneCore

extension VaultFile {
    /// The past calls that a vault keeps.
    public static let historyMaximum = 1_000
}

/// The table of past calls: the newest `VaultFile.historyMaximum`.
extension Database {
    func insertHistory(_ entry: HistoryEntry, boot: String?, _ now: VaultClock.Reading) throws(SQLiteError) {
        let quality = entry.quality
        try run(
            """
            INSERT INTO history (direction, number, name, organisation, account, boot, started_ns, started_ms,
                answered_ms, ended_ms, reason, missed_reason, has_quality, opinion_score, jitter_ms, round_trip_ms,
                loss_percent, concealed_percent, buffer_ms, protection, called)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(entry.direction.rawValue), .text(limited(entry.number)), SQLValue(entry.name.map(limited)),
                SQLValue(entry.organisation.map(limited)), .integer(entry.account.rawValue), SQLValue(boot),
                .integer(entry.started.nanoseconds), .integer(now.wallTime(of: entry.started).unixMilliseconds),
                SQLValue(entry.answered.map { now.wallTime(of: $0).unixMilliseconds }),
                .integer(now.wallTime(of: entry.ended).unixMilliseconds), .text(entry.reason.stored),
                SQLValue(entry.missed?.rawValue), SQLValue(quality != nil), SQLValue(quality?.opinionScore),
                SQLValue(quality?.jitterMilliseconds), SQLValue(quality?.roundTripMilliseconds),
                SQLValue(quality?.lossPercent), SQLValue(quality?.concealedPercent),
                SQLValue(quality?.bufferMilliseconds), SQLValue(entry.protection?.rawValue),
                SQLValue(entry.called.map(limited)),
            ])
        try run(
            "DELETE FROM history WHERE id <= (SELECT id FROM history ORDER BY id DESC LIMIT 1 OFFSET ?)",
            [.integer(Int64(VaultFile.historyMaximum))])
    }

    func clearHistory() throws(SQLiteError) { try run("DELETE FROM history") }

    /// Newest first.
    func history(_ question: HistoryQuestion, limit: Int) throws(SQLiteError) -> [HistoryRecord] {
        try rows(
            """
            SELECT id, direction, number, name, account, started_ms, answered_ms, ended_ms, reason, missed_reason, seen,
                has_quality, opinion_score, jitter_ms, round_trip_ms, loss_percent, concealed_percent, buffer_ms,
                organisation, protection, called
            FROM history
            WHERE (?1 IS NULL OR id < ?1) AND (?2 IS NULL OR direction = ?2)
                AND (?3 IS NULL OR (missed_reason IS NOT NULL) = ?3) AND (?4 IS NULL OR account = ?4)
                AND (?5 IS NULL OR instr(lower(number), lower(?5)) OR instr(lower(ifnull(name, '')), lower(?5)))
            ORDER BY id DESC LIMIT ?6
            """,
            [
                SQLValue(question.before), SQLValue(question.direction?.rawValue),
                question.missed.map { SQLValue($0) } ?? .null, SQLValue(question.account?.rawValue),
                SQLValue(question.text), .integer(Int64(limit)),
            ]
        ) { (row) throws(SQLiteError) in
            guard let direction = CallSummary.Direction(rawValue: try row.text(1)),
                let reason = EndReason(stored: try row.text(8))
            else { throw .unexpected("a past call has an unknown direction or end") }
            let missed = try row.optionalText(9).map(Database.missedReason)
            return HistoryRecord(
                id: try row.integer(0), direction: direction, number: try row.text(2), name: try row.optionalText(3),
                called: try row.optionalText(20), organisation: try row.optionalText(18),
                account: AccountID(try row.integer(4)),
                started: WallTime(unixMilliseconds: try row.integer(5)),
                answered: try row.optionalInteger(6).map { WallTime(unixMilliseconds: $0) },
                ended: WallTime(unixMilliseconds: try row.integer(7)), reason: reason, missed: missed,
                seen: try row.flag(10), quality: try row.flag(11) ? try Database.quality(row) : nil,
                protection: try row.optionalText(19).map(Database.protection))
        }
    }

    func missedUnseen() throws(SQLiteError) -> Int {
        Int(try number("SELECT count(*) FROM history WHERE missed_reason IS NOT NULL AND seen = 0"))
    }

    /// The newest missed calls that nobody has seen, oldest first.
    func newestMissedUnseen(
        limit: Int, boot: String?, _ now: VaultClock.Reading
    ) throws(SQLiteError) -> [MissedCall] {
        try rows(
            """
            SELECT id, number, name, organisation, account, boot, started_ns, started_ms, missed_reason FROM history
            WHERE missed_reason IS NOT NULL AND seen = 0 AND id <= ? ORDER BY id DESC LIMIT ?
            """, [.integer(Int64(UInt32.max)), .integer(Int64(limit))]
        ) { (row) throws(SQLiteError) in
            let isSameStart = try row.optionalText(5).map { $0 == boot } ?? false
            let exact = try row.optionalInteger(6).map { Instant(nanoseconds: $0) }
            let started = now.instant(of: WallTime(unixMilliseconds: try row.integer(7)))
            return MissedCall(
                call: CallID(.past, UInt32(truncatingIfNeeded: try row.integer(0))), number: try row.text(1),
                name: try row.optionalText(2), organisation: try row.optionalText(3),
                account: AccountID(try row.integer(4)), at: isSameStart ? exact ?? started : started,
                reason: try Database.missedReason(try row.text(8)))
        }.reversed()
    }

    func markMissedSeen(entry: UInt32) throws(SQLiteError) {
        try run(
            "UPDATE history SET seen = 1 WHERE missed_reason IS NOT NULL AND id = ?", [.integer(Int64(entry))])
    }

    /// - Parameter started: The instant at which one call began, since this boot; nil: all calls.
    func markMissedSeen(_ started: Instant?, boot: String?) throws(SQLiteError) {
        guard let started else {
            return try run("UPDATE history SET seen = 1 WHERE missed_reason IS NOT NULL AND seen = 0")
        }
        try run(
            "UPDATE history SET seen = 1 WHERE missed_reason IS NOT NULL AND started_ns = ? AND boot IS ?",
            [.integer(started.nanoseconds), SQLValue(boot)])
    }

    /// The last dialled number among the stored calls.
    func lastDialled() throws(SQLiteError) -> String? {
        try rows(
            "SELECT number FROM history WHERE direction = ? ORDER BY id DESC LIMIT 1",
            [.text(CallSummary.Direction.outgoing.rawValue)]
        ) { (row) throws(SQLiteError) in try row.text(0) }.first
    }

    private static func missedReason(_ text: String) throws(SQLiteError) -> MissedReason {
        guard let reason = MissedReason(rawValue: text) else {
            throw .unexpected("a past call was missed for an unknown reason")
        }
        return reason
    }

    private static func protection(_ text: String) throws(SQLiteError) -> CallProtection {
        guard let protection = CallProtection(rawValue: text) else {
            throw .unexpected("a past call was protected in an unknown way")
        }
        return protection
    }

    private static func quality(_ row: borrowing Statement) throws(SQLiteError) -> VoiceQuality {
        VoiceQuality(
            opinionScore: try row.optionalReal(12), jitterMilliseconds: try row.optionalReal(13),
            roundTripMilliseconds: try row.optionalReal(14), lossPercent: try row.optionalReal(15),
            concealedPercent: try row.optionalReal(16), bufferMilliseconds: try row.optionalReal(17))
    }
}

/// Limits a text from a caller, which may be hostile and of any length.
func limited(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(VaultFile.callTextMaximum)))
}

/// The vault's texts for the reason of a call's end. Later releases read them: texts may be added, but never changed.
extension EndReason {
    /// Every reason without a number.
    private static let stable: [EndReason] =
        plain
        + [.noOrganisation, .network, .parse, .timeout, .credentialStore, .connection, .abandoned]
        .map { .organisation($0) }

    package init?(stored text: String) {
        if let reason = EndReason.stable.first(where: { $0.stored == text }) {
            self = reason
        } else if let status = EndReason.number(in: text, after: "rejected ") {
            self = .rejected(status)
        } else if let status = EndReason.number(in: text, after: "organisation api ") {
            self = .organisation(.api(status))
        } else {
            return nil
        }
    }

    private static func number(in text: String, after words: String) -> Int? {
        text.hasPrefix(words) ? Int(text.dropFirst(words.count)) : nil
    }

    /// The stable word for programs, with spaces.
    package var stored: String {
        switch self {
        case .rejected(let status): "rejected \(status)"
        case .organisation(.noOrganisation): "organisation no organisation"
        // The history is for people, who have read the text when it mattered.
        case .organisation(.api(let status, _)): "organisation api \(status)"
        case .organisation(let failure): "organisation " + Self.spaced(failure.code)
        default: Self.spaced(code)
        }
    }

    /// `hungUpHere` becomes "hung up here".
    private static func spaced(_ code: String) -> String {
        code.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }
}
