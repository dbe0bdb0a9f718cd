import CallerInfoCore
import JSON
import Testing

@Suite struct CallerInfoMessageTests {
    private static let second: Int64 = 1_000_000_000

    private func parse(_ text: String) throws -> CallerInfoMessage {
        try CallerInfoMessage(parsing: Array(text.utf8))
    }

    private func members(_ changes: [String: JSONValue?] = [:]) -> String {
        var members: [String: JSONValue] = [
            "type": "incoming_call", "call_id": "a", "caller_number": "+4930123456", "timestamp": 1_700_000_000,
        ]
        for (key, value) in changes { members[key] = value }
        return JSONValue.object(members).text
    }

    @Test func completeMessageKeepsEveryField() throws {
        let message = try parse(
            """
            {"type":"incoming_call","call_id":"a","call_session_id":"s","call_control_id":"c",
            "caller_number":"+4930123456","caller_name":"Ada","caller_avatar":"https://example.com/a.png",
            "channel_number":"+49301","organization_id":7,"organization_name":"Example","organization_slug":"ex",
            "timestamp":"1700000000","unknown":[{"deep":null}]}
            """)
        var expected = CallerInfoMessage(kind: .incomingCall, sent: 1_700_000_000 * Self.second)
        (expected.callID, expected.sessionID, expected.controlID) = ("a", "s", "c")
        (expected.callerNumber, expected.callerName) = ("+4930123456", "Ada")
        (expected.callerAvatar, expected.channelNumber) = ("https://example.com/a.png", "+49301")
        (expected.organisationID, expected.organisationName, expected.organisationSlug) = ("7", "Example", "ex")
        #expect(message == expected)
        #expect(message.ids == ["a", "s", "c"])
    }

    @Test(
        arguments: [
            (JSONValue.integer(1_700_000_000), 1_700_000_000 * 1_000_000_000),
            (.string("1700000000"), 1_700_000_000 * 1_000_000_000),
            (.number(1_700_000_000.5), 1_700_000_000_500_000_000),
            (.string("1700000000.5"), 1_700_000_000_500_000_000),
        ] as [(JSONValue, Int64)])
    func timestampMayBeTextOrNumber(_ time: JSONValue, _ sent: Int64) throws {
        #expect(try parse(members(["timestamp": time])).sent == sent)
    }

    @Test(arguments: [(JSONValue.integer(7), "7"), (.string("7"), "7"), (.string("x-1"), "x-1")])
    func organisationMayBeTextOrNumber(_ id: JSONValue, _ text: String) throws {
        #expect(try parse(members(["organization_id": id])).organisationID == text)
    }

    @Test func nullAndEmptyTextsAreMissing() throws {
        let message = try parse(members(["caller_name": .null, "call_id": "", "organization_id": .null]))
        #expect(message.callerName == nil && message.ids.isEmpty && message.organisationID == nil)
    }

    @Test func endedCallNeedsOnlyAnID() throws {
        #expect(try parse(members(["type": "call_ended", "caller_number": nil])).ids == ["a"])
        #expect(throws: CallerInfoMessage.Invalid.anonymous) {
            try parse(members(["type": "call_ended", "caller_number": nil, "call_id": nil]))
        }
    }

    @Test(
        arguments: [
            ("type", nil, .missing("type")), ("type", "ring", .unknownKind), ("type", 1, .wrongType("type")),
            ("caller_number", nil, .missing("caller_number")), ("caller_number", 49, .wrongType("caller_number")),
            ("call_id", 1, .wrongType("call_id")), ("call_id", ["a"], .wrongType("call_id")),
            ("caller_name", true, .wrongType("caller_name")), ("organization_id", 1.5, .wrongType("organization_id")),
            ("organization_id", false, .wrongType("organization_id")), ("timestamp", nil, .missing("timestamp")),
            ("timestamp", true, .wrongType("timestamp")), ("timestamp", "now", .badTime),
            ("timestamp", "inf", .badTime),
            ("timestamp", "0x10", .badTime), ("timestamp", "", .badTime), ("timestamp", -1, .badTime),
            ("timestamp", 1e300, .badTime),
        ] as [(String, JSONValue?, CallerInfoMessage.Invalid)])
    func wrongValueGivesExactError(_ key: String, _ value: JSONValue?, _ error: CallerInfoMessage.Invalid) {
        let text = members([key: value])
        #expect(throws: error, "\(text)") { try parse(text) }
    }

    @Test(arguments: ["call_id", "caller_number", "organization_id", "organization_slug", "channel_number"])
    func overlongIdentifierIsInvalid(_ key: String) throws {
        _ = try parse(members([key: .string(String(repeating: "9", count: 128))]))
        #expect(throws: CallerInfoMessage.Invalid.tooLong(key)) {
            try parse(members([key: .string(String(repeating: "9", count: 129))]))
        }
    }

    @Test(arguments: ["", "[]", "\"incoming_call\"", "null", "{", "\u{0}"])
    func bytesThatAreNoObjectAreInvalid(_ text: String) {
        #expect(throws: CallerInfoMessage.Invalid.self) { try parse(text) }
    }
}
