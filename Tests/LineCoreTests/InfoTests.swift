import Base
import LineCore
import SIPCore
import Testing

@Suite("Digits by INFO")
struct InfoTests {
    private static func digits(_ text: String) -> [DTMFElement] { text.compactMap { DTMFElement($0) } }

    private func heard(_ world: World, _ line: Int) -> String {
        String(
            world.outputs(line).compactMap {
                if case .event(.dtmfReceived(_, let symbol)) = $0 { symbol.character } else { nil }
            })
    }

    /// The unsent digits, each time a leg finished its digits.
    private func unsent(_ world: World, _ line: Int) -> [[DTMFElement]] {
        world.outputs(line).compactMap { if case .event(.dtmfSent(_, let unsent)) = $0 { unsent } else { nil } }
    }

    @Test("every digit arrives once and in order on a lossy, reordering network", arguments: 1...6)
    func everyDigitArrivesOnceAndInOrderOnLossyReorderingNetwork(seed: UInt64) {
        var calls = Calls(seed: seed)
        calls.connect()
        calls.world.weather = .init(lossPercent: 20, duplicatePercent: 20, delayMilliseconds: 300)
        calls.world.command(0, .dtmf(calls.caller, Self.digits("0123456789*#ABCD")))
        calls.world.command(1, .dtmf(calls.called, Self.digits("42")))
        calls.runUntil(within: .seconds(200)) { !unsent($0, 0).isEmpty && !unsent($0, 1).isEmpty }
        #expect(heard(calls.world, 1) == "0123456789*#ABCD" && heard(calls.world, 0) == "42")
        #expect(unsent(calls.world, 0) == [[]] && unsent(calls.world, 1) == [[]])
    }

    @Test("each digit's duration passes before the next leaves, and a comma waits")
    func eachDigitDurationPassesBeforeNextLeavesAndCommaWaits() {
        var calls = Calls()
        calls.connect()
        let start = calls.world.now
        calls.world.command(0, .dtmf(calls.caller, Self.digits("1,2")))
        calls.world.run(.seconds(10))
        let times = calls.world.said.filter { if case .event(.dtmfReceived) = $0.output { true } else { false } }.map {
            $0.at - start
        }
        #expect(times.count == 2 && times[0] < .milliseconds(20))
        #expect(times[1] > .milliseconds(2_200) && times[1] < .milliseconds(2_260))
    }

    @Test("too many digits are refused as a whole; an unknown call takes none")
    func tooManyDigitsAreRefusedAsWholeUnknownCallTakesNone() {
        var calls = Calls()
        calls.invite()
        calls.world.command(0, .dtmf(calls.caller, Self.digits("1")))
        #expect(unsent(calls.world, 0) == [Self.digits("1")])
        calls.world.command(0, .dtmf(CallID(.phone, 9), Self.digits("1")))
        calls.connect()
        let tooMany = Self.digits(String(repeating: "1", count: 65))
        calls.world.command(0, .dtmf(calls.caller, tooMany))
        #expect(unsent(calls.world, 0) == [Self.digits("1"), tooMany])
        calls.world.command(0, .dtmf(calls.caller, Self.digits(String(repeating: "1", count: 64))))
        calls.world.command(0, .dtmf(calls.caller, Self.digits("22")))
        calls.world.run(.seconds(30))
        #expect(unsent(calls.world, 0).suffix(2) == [Self.digits("22"), []] && heard(calls.world, 1).count == 64)
    }

    @Test("an ending call reports no more digits, even if its BYE is unanswered")
    func endingCallReportsNoMoreDigitsEvenIfItsBYEIsUnanswered() {
        var calls = Calls()
        calls.connect()
        calls.world.command(0, .dtmf(calls.caller, Self.digits("1,")))
        calls.world.run(.milliseconds(300))
        calls.world.weather = .init(lossPercent: 100)
        calls.world.command(0, .end(calls.caller))
        calls.world.run(.seconds(20))
        #expect(heard(calls.world, 1) == "1" && unsent(calls.world, 0).isEmpty)
    }

    @Test("the end of a call ends its digits")
    func endOfCallEndsItsDigits() {
        var calls = Calls()
        calls.connect()
        calls.world.command(0, .dtmf(calls.caller, Self.digits("123456")))
        calls.world.run(.milliseconds(300))
        calls.world.command(0, .end(calls.caller))
        calls.world.run(.seconds(40))
        #expect(heard(calls.world, 1) == "12" && unsent(calls.world, 0).isEmpty)
        #expect(calls.world.lines[0].deadline == nil)
    }

    /// The first line's response to an INFO in a call, and the reported digits.
    private func outcome(_ requests: [SIPRequest]) throws -> ([Int], String) {
        let stranger = Stranger()
        var (world, tag) = try World.called(by: stranger)
        let before = world.caughtStatuses.count
        for (number, request) in requests.enumerated() {
            var request = request
            request.headers[.to] = "<sip:alice@192.0.2.1>;tag=\(tag)"
            request.headers[.cSeq] = "\(20 + number) INFO"
            request.headers[.via] = "SIP/2.0/UDP 203.0.113.9:5060;branch=z9hG4bK-i\(number);rport"
            world.carry(request.bytes, from: stranger.endpoint, to: World.endpoint(0))
            world.run(.milliseconds(20))
        }
        return (Array(world.caughtStatuses.dropFirst(before)), heard(world, 0))
    }

    private func info(_ body: String, type: String = "application/dtmf-relay", extra: [(SIPHeaderName, String)] = [])
        -> SIPRequest
    {
        Stranger().request(.info, body: body, extra: [(.contentType, type)] + extra)
    }

    @Test(
        "peers' ways to write a digit are understood",
        arguments: [
            ("Signal=5\r\nDuration=160\r\n", 200, "5"), ("signal = *\r\n", 200, "*"),
            ("Duration=1\nSIGNAL=#", 200, "#"),
            ("Signal=10\r\nDuration=160", 200, "*"), ("Signal=11", 200, "#"), ("Signal=15", 200, "D"),
            ("Signal=b", 200, "B"), ("Signal=16", 200, ""), ("Signal=!", 200, ""), ("Signal=17", 400, ""),
            ("Signal=", 400, ""), ("Signal=5\r\nSignal=6", 400, ""), ("Duration=160", 400, ""), ("hello", 400, ""),
            ("Signal=é", 400, ""), ("Signal=555", 400, ""), ("Signal=5" + String(repeating: " ", count: 300), 400, ""),
        ])
    func peersWaysToWriteDigitAreUnderstood(_ body: String, _ status: Int, _ digits: String) throws {
        #expect(try outcome([info(body)]) == ([status], digits))
    }

    @Test(
        "other INFO forms are handled",
        arguments: [
            ("application/dtmf", "7\r\n", 200, "7"), ("application/dtmf", " # ", 200, "#"),
            ("application/dtmf", "x", 400, ""),
            ("text/plain", "7", 415, ""), ("application/sdp", "v=0", 415, ""),
        ])
    func otherINFOFormsAreHandled(_ type: String, _ body: String, _ status: Int, _ digits: String) throws {
        #expect(try outcome([info(body, type: type)]) == ([status], digits))
    }

    @Test("an unknown package is refused by name, an empty INFO is a keep-alive, one without a call is refused")
    func unknownPackageIsRefusedByNameEmptyINFOIsKeepAlive() throws {
        let package = info("x", extra: [(SIPHeaderName("Info-Package"), "foo")])
        #expect(try outcome([package, Stranger().request(.info)]) == ([469, 200], ""))
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(info("Signal=5").bytes, from: Stranger())
        #expect(world.caughtStatuses == [481])
    }

    @Test("a flood of digits is limited to the speed of a finger")
    func floodOfDigitsIsLimitedToSpeedOfFinger() throws {
        let (statuses, digits) = try outcome(Array(repeating: info("Signal=5"), count: 100))
        #expect(statuses.count == 100 && statuses.contains(503))
        // Twenty at once, and one every 50 ms of the 2 s that it took.
        #expect((50...65).contains(digits.count) && digits.count == statuses.count { $0 == 200 })
    }

    /// An answered call of a stranger, with the Allow of its INVITE.
    private func answered(allowing: String?, _ stranger: Stranger) throws -> World {
        try World.called(by: stranger, allowing.map { [(.allow, $0)] } ?? []).world
    }

    @Test("a far end that rejects INFO gets no more digits and no more INFO", arguments: [nil, "INVITE, INFO"])
    func farEndThatRejectsINFOGetsNoMoreDigitsAndNoMoreINFO(allowing: String?) throws {
        let stranger = Stranger()
        var world = try answered(allowing: allowing, stranger)
        let digits = Self.digits("12,3")
        world.command(0, .dtmf(CallID(.line(.direct), 1), digits))
        world.run(.milliseconds(100))
        let request = try #require(world.caughtRequests.last)
        #expect(
            request.method == .info && String(decoding: request.body, as: UTF8.self) == "Signal=1\r\nDuration=160\r\n")
        world.receive(request.response(.methodNotAllowed).bytes, from: stranger)
        world.run(.seconds(5))
        #expect(unsent(world, 0) == [digits])
        world.command(0, .dtmf(CallID(.line(.direct), 1), digits))
        world.run(.seconds(5))
        #expect(unsent(world, 0) == [digits, digits])
        #expect(Set(world.caughtRequests.filter { $0.method == .info }.map(\.body)).count == 1)
    }

    @Test("after a rejected digit, it and all later ones are unsent")
    func afterRejectedDigitItAndAllLaterOnesAreUnsent() throws {
        let stranger = Stranger()
        var world = try answered(allowing: nil, stranger)
        world.command(0, .dtmf(CallID(.line(.direct), 1), Self.digits("12,3")))
        world.run(.milliseconds(100))
        world.receive(try #require(world.caughtRequests.last).response(.ok).bytes, from: stranger)
        world.run(.seconds(1))
        let second = try #require(world.caughtRequests.last)
        #expect(String(decoding: second.body, as: UTF8.self).hasPrefix("Signal=2"))
        world.receive(second.response(.unsupportedMediaType).bytes, from: stranger)
        #expect(unsent(world, 0) == [Self.digits("2,3")])
    }

    @Test("a far end whose Allow lacks INFO gets none")
    func farEndWhoseAllowLacksINFOGetsNone() throws {
        var world = try answered(allowing: "INVITE, ACK, BYE", Stranger())
        world.command(0, .dtmf(CallID(.line(.direct), 1), Self.digits("12")))
        world.run(.seconds(1))
        #expect(unsent(world, 0) == [Self.digits("12")])
        #expect(!world.caughtRequests.contains { $0.method == .info })
    }
}
