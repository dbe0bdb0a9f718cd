import JSON
import Testing
import VertoCore

/// Every cause of the fact sheet, as a call's end reason.
@Suite struct CauseTests {
    static let named: [(String, Int, VertoEndReason)] = [
        ("UNALLOCATED_NUMBER", 1, .notFound), ("NORMAL_CLEARING", 16, .hungUp), ("USER_BUSY", 17, .busy),
        ("NO_USER_RESPONSE", 18, .noAnswer), ("NO_ANSWER", 19, .noAnswer), ("SUBSCRIBER_ABSENT", 20, .unavailable),
        ("CALL_REJECTED", 21, .declined), ("NUMBER_CHANGED", 22, .notFound),
        ("DESTINATION_OUT_OF_ORDER", 27, .unavailable), ("INVALID_NUMBER_FORMAT", 28, .notFound),
        ("NORMAL_UNSPECIFIED", 31, .hungUp), ("NORMAL_CIRCUIT_CONGESTION", 34, .congestion),
        ("NETWORK_OUT_OF_ORDER", 38, .congestion), ("NORMAL_TEMPORARY_FAILURE", 41, .congestion),
        ("SWITCH_CONGESTION", 42, .congestion), ("BEARERCAPABILITY_NOTAUTH", 57, .forbidden),
        ("INVALID_CALL_REFERENCE", 81, .lost), ("INCOMPATIBLE_DESTINATION", 88, .incompatible),
        ("MANDATORY_IE_MISSING", 96, .incompatible), ("RECOVERY_ON_TIMER_EXPIRE", 102, .timedOut),
        ("INTERWORKING", 127, .failed), ("ORIGINATOR_CANCEL", 487, .cancelled), ("ALLOTTED_TIMEOUT", 602, .timedOut),
        ("INVALID_GATEWAY", 608, .congestion), ("CRASH", 700, .dropped), ("SYSTEM_SHUTDOWN", 701, .dropped),
        ("ALLOTTED_TIMEOUT", 802, .timedOut), ("USER_CHALLENGE", 803, .forbidden), ("MEDIA_TIMEOUT", 804, .timedOut),
        ("USER_NOT_REGISTERED", 806, .unavailable), ("PROGRESS_TIMEOUT", 807, .timedOut),
        ("INVALID_GATEWAY", 808, .congestion), ("GATEWAY_DOWN", 809, .congestion), ("INVALID_URL", 810, .notFound),
        ("INVALID_PROFILE", 811, .failed), ("SRTP_READ_ERROR", 813, .failed), ("BUSY_EVERYWHERE", 815, .busy),
        ("DECLINE", 816, .declined), ("ATTENDED_TRANSFER", 801, .hungUp), ("BLIND_TRANSFER", 600, .hungUp),
        ("NO_PICKUP", 612, .noAnswer), ("CRASH", 500, .dropped),
    ]

    private func end(_ params: JSONValue, ringing: Bool = false) throws -> VertoEnd {
        var line = try Line.ready()
        let call = ringing ? try line.ring("c") : try line.talk("c")
        guard case .object(var members) = params else { return VertoEnd(.failed) }
        members["callID"] = "c"
        line.server("bye", .object(members))
        guard case .ended(let end)? = line.told(call).last else {
            Issue.record("it did not end")
            return VertoEnd(.failed)
        }
        return end
    }

    @Test(arguments: named)
    func causesAreReadByNameAndNumber(_ name: String, _ code: Int, _ reason: VertoEndReason) throws {
        #expect(try end(["cause": .string(name)]).reason == reason)
        #expect(try end(["causeCode": .integer(Int64(code))]).reason == reason)
        // The name wins over the number.
        #expect(try end(["cause": .string(name), "causeCode": 17]).reason == reason)
    }

    @Test(
        arguments: [
            (404, .notFound), (410, .notFound), (486, .busy), (600, .busy), (480, .unavailable), (408, .timedOut),
            (504, .timedOut), (403, .forbidden), (603, .declined), (487, .cancelled), (488, .incompatible),
            (503, .congestion), (502, .congestion), (499, .failed),
        ] as [(Int64, VertoEndReason)])
    func causesAreReadBySIPStatus(_ code: Int64, _ reason: VertoEndReason) throws {
        let end = try end(["sipCode": .integer(code), "sipReason": "why\n"])
        #expect(end.reason == reason && end.sipCode == Int(code) && end.sipReason == "why")
    }

    @Test func unknownCauseIsKeptAsText() throws {
        let end = try end(["cause": "SOLAR_FLARE", "causeCode": 999_999])
        #expect(end == VertoEnd(.failed, cause: "SOLAR_FLARE", code: 999_999))
        #expect(try self.end([:]) == VertoEnd(.failed))
        let long = try self.end(["cause": .string(String(repeating: "é", count: 5_000))])
        #expect(long.cause?.utf8.count == VertoLimits.causeBytes)
    }

    /// Not a missed call.
    @Test func answerElsewhereIsRecognised() throws {
        let params: [JSONValue] = [
            ["cause": "PICKED_OFF", "causeCode": 805, "sipCode": 487], ["causeCode": 805], ["causeCode": 605],
            ["cause": "LOSE_RACE"],
        ]
        for params in params {
            #expect(try end(params, ringing: true).reason == .answeredElsewhere)
            // An active call was not answered elsewhere.
            #expect(try end(params).reason == .hungUp)
        }
        #expect(
            try end(["cause": "ORIGINATOR_CANCEL", "causeCode": 487, "sipCode": 487], ringing: true).reason
                == .cancelled)
    }

    @Test func numbersMayBeTexts() throws {
        #expect(try end(["causeCode": "17"]).reason == .busy)
        #expect(try end(["causeCode": [17]]).reason == .failed)
        #expect(try end(["causeCode": 1.7]).reason == .failed)
    }
}
