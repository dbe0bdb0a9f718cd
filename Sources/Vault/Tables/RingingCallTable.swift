import Base
import PhoneCore

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
