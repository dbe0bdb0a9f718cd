import Base
import PhoneCore

/// The table of the call that is up: one row or no row.
///
/// Times are stored from both clocks. Within the same boot the monotonic times are exact, even if the wall clock was
/// set since. After another boot only the wall clock's times have a meaning.
extension Database {
    func persist(_ call: PersistedCall, boot: String?, _ now: VaultClock.Reading) throws(SQLiteError) {
        try run(
            """
            INSERT OR REPLACE INTO persisted_call (id, call, direction, number, name, account, boot, started_ns,
                answered_ns, started_ms, answered_ms, memo)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(limited(call.call)), .text(call.direction.rawValue), .text(limited(call.number)),
                SQLValue(call.name.map(limited)), .integer(call.account.rawValue), SQLValue(boot),
                .integer(call.started.nanoseconds), .integer(call.answered.nanoseconds),
                .integer(now.wallTime(of: call.started).unixMilliseconds),
                .integer(now.wallTime(of: call.answered).unixMilliseconds), SQLValue(call.memo.flatMap(Database.whole)),
            ])
    }

    /// A memo that is too long is dropped, because a part of it would send the BYE to no peer or to the wrong one.
    private static func whole(_ memo: String) -> String? {
        memo.utf8.count <= VaultFile.memoBytesMaximum ? memo : nil
    }

    func clearPersisted() throws(SQLiteError) { try run("DELETE FROM persisted_call") }

    func persistedCall(boot: String?, _ now: VaultClock.Reading) throws(SQLiteError) -> PersistedCall? {
        try rows(
            """
            SELECT call, direction, number, name, account, boot, started_ns, answered_ns, started_ms, answered_ms, memo
            FROM persisted_call
            """
        ) { (row) throws(SQLiteError) in
            guard let direction = CallSummary.Direction(rawValue: try row.text(1)) else {
                throw .unexpected("the persisted call has an unknown direction")
            }
            let sameStart = try row.optionalText(5).map { $0 == boot } ?? false
            let started = try WallTime(unixMilliseconds: row.integer(8))
            let answered = try WallTime(unixMilliseconds: row.integer(9))
            return PersistedCall(
                call: try row.text(0), direction: direction, number: try row.text(2), name: try row.optionalText(3),
                account: AccountID(try row.integer(4)),
                started: sameStart ? Instant(nanoseconds: try row.integer(6)) : now.instant(of: started),
                answered: sameStart ? Instant(nanoseconds: try row.integer(7)) : now.instant(of: answered),
                memo: try row.optionalText(10))
        }.first
    }
}

/// The table of the calls that ring: one row for each, which is gone when the call has ended or is up. Its times are
/// stored from both clocks, as those of the call that is up.
extension Database {
    func persist(_ call: RingingCall, boot: String?, _ now: VaultClock.Reading) throws(SQLiteError) {
        let organisation = call.organisation
        try run(
            """
            INSERT OR REPLACE INTO ringing_call (call, number, name, called, organisation, organisation_name,
                organisation_slug, account, boot, started_ns, started_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(limited(call.call)), .text(limited(call.number)), SQLValue(call.name.map(limited)),
                SQLValue(call.called.map(limited)), SQLValue(organisation.map { limited($0.id.rawValue) }),
                SQLValue(organisation.map { limited($0.name) }), SQLValue(organisation?.slug.map(limited)),
                .integer(call.account.rawValue), SQLValue(boot), .integer(call.started.nanoseconds),
                .integer(now.wallTime(of: call.started).unixMilliseconds),
            ])
    }

    func clearRinging(_ call: String) throws(SQLiteError) {
        try run("DELETE FROM ringing_call WHERE call = ?", [.text(limited(call))])
    }

    /// Oldest first.
    func ringingCalls(boot: String?, _ now: VaultClock.Reading) throws(SQLiteError) -> [RingingCall] {
        try rows(
            """
            SELECT call, number, name, called, organisation, organisation_name, organisation_slug, account, boot,
                started_ns, started_ms
            FROM ringing_call ORDER BY started_ms, call
            """
        ) { (row) throws(SQLiteError) in
            var organisation: Organisation?
            if let id = try row.optionalText(4) {
                organisation = Organisation(
                    id: OrganisationID(id), name: try row.optionalText(5) ?? "", slug: try row.optionalText(6))
            }
            let isSameStart = try row.optionalText(8).map { $0 == boot } ?? false
            let started = WallTime(unixMilliseconds: try row.integer(10))
            return RingingCall(
                call: try row.text(0), number: try row.text(1), name: try row.optionalText(2),
                called: try row.optionalText(3), organisation: organisation, account: AccountID(try row.integer(7)),
                started: isSameStart ? Instant(nanoseconds: try row.integer(9)) : now.instant(of: started))
        }
    }
}
