import Base
import PhoneCore

/// The table of the phone's current organisation. It has one row or no row, so that everything in it changes at once.
extension Database {
    /// Nothing is tried any more.
    func keep(_ context: OrganisationContext) throws(SQLiteError) {
        try run("DELETE FROM tried_context")
        try run(
            """
            INSERT OR REPLACE INTO organisation_context (id, account, organisation, organisation_name, user, password,
                caller_name, caller_number, organisation_slug, login_token, kind, server, transport)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            Database.values(of: context))
    }

    /// A start ignores it: the former context counts until `keep`.
    func tryOut(_ context: OrganisationContext) throws(SQLiteError) {
        try run(
            """
            INSERT OR REPLACE INTO tried_context (id, account, organisation, organisation_name, user, password,
                caller_name, caller_number, organisation_slug, login_token, kind, server, transport)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            Database.values(of: context))
    }

    private static func values(of context: OrganisationContext) -> [SQLValue] {
        let credentials = context.credentials
        return [
            .integer(context.account.rawValue), .text(context.organisation.id.rawValue),
            .text(context.organisation.name), .text(credentials.user), .text(credentials.password.reveal()),
            SQLValue(credentials.callerName), SQLValue(credentials.callerNumber),
            SQLValue(context.organisation.slug), SQLValue(credentials.loginToken?.reveal()),
            SQLValue(credentials.server?.kind.rawValue), SQLValue(credentials.server?.place),
            SQLValue(credentials.server?.transport?.rawValue),
        ]
    }

    func context() throws(SQLiteError) -> OrganisationContext? {
        try rows(
            """
            SELECT account, organisation, organisation_name, user, password, caller_name, caller_number,
                organisation_slug, login_token, kind, server, transport
            FROM organisation_context
            """
        ) { (row) throws(SQLiteError) in
            OrganisationContext(
                account: AccountID(try row.integer(0)),
                organisation: Organisation(
                    id: OrganisationID(try row.text(1)), name: try row.text(2), slug: try row.optionalText(7)),
                credentials: AccountCredentials(
                    user: try row.text(3), password: Redacted(try row.text(4)), callerName: try row.optionalText(5),
                    callerNumber: try row.optionalText(6),
                    loginToken: try row.optionalText(8).map { Redacted($0) },
                    server: AccountServer(
                        kind: try row.optionalText(9), place: try row.optionalText(10),
                        transport: try row.optionalText(11))))
        }.first
    }
}

extension OrganisationContext {
    /// Checks a context from a backend. It is kept whole or rejected, because shortened credentials would be wrong.
    func validate() throws(VaultError) {
        try TextRule.check(
            required: ["organisation": organisation.id.rawValue, "user": credentials.user],
            optional: [
                "organisation's name": organisation.name, "password": credentials.password.reveal(),
                "caller name": credentials.callerName, "caller number": credentials.callerNumber,
                "organisation's short name": organisation.slug, "server": credentials.server?.place,
            ])
        if let token = credentials.loginToken { try Account.check(token) }
    }
}

extension AccountServer {
    /// Reads the columns. Nil: there is no server, or a later release wrote a kind that this one does not know.
    fileprivate init?(kind: String?, place: String?, transport: String?) {
        guard let kind = kind.flatMap(Kind.init(rawValue:)), let place else { return nil }
        self.init(kind: kind, place: place, transport: transport.flatMap(Transport.init(rawValue:)))
    }
}
