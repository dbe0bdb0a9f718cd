import Base
import EventLog
import PhoneCore
import Testing

@Suite("Redacted recordings hide identities")
struct RedactionTests {
    private static func redacted(_ event: PhoneEvent) throws -> (event: PhoneEvent, text: String) {
        var tape = Tape(redacts: true)
        try tape.record([(Sample.at, event)])
        let moment = try #require(try Replay.run(tape.files[0]).steps.moments.first)
        return (moment.event, tape.text)
    }

    @Test(arguments: PhoneEvent.samples)
    func personalDataIsNotInFile(_ event: PhoneEvent) throws {
        let (redacted, text) = try Self.redacted(event)
        for piece in Sample.personal { #expect(!text.contains(piece), "\(piece) in \(redacted)") }
    }

    @Test func personalDataIsNotInStoryOrPolicy() throws {
        var policy = PhonePolicy()
        policy.speedDials = [1: SpeedDial([Sample.number, Sample.uri])]
        policy.voicemail = [Sample.account: Sample.otherNumber]
        policy.blocked = [Sample.otherNumber]
        policy.autoAnswer.callers = [ListedCaller(Sample.number, domain: Sample.host)]
        policy.rings = ["Acme": RingCadence([.seconds(1), .seconds(1)])]
        policy.accountRings = [Sample.account: "Acme"]
        for limit in [1, 1 << 24] {
            var tape = Tape(policy: policy, limit: limit, redacts: true)
            try tape.record(Story.events())
            for piece in Sample.personal + ["Grace", "Hopper"] { #expect(!tape.text.contains(piece), "\(piece)") }
            for file in tape.files { _ = try Replay.run(file) }
        }
    }

    /// Digits from 1 to 9 that start no counter: no four of them in a row are in the file.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func noFourDigitsOfNumberSurvive(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let digits = (0..<Int.random(in: 4...20, using: &random)).map { _ in
            Character("\(Int.random(in: 1...9, using: &random))")
        }
        let prefix = ["", "+", "00", "(0) "].randomElement(using: &random) ?? ""
        let separator = ["", " ", "-", "/"].randomElement(using: &random) ?? ""
        let number = prefix + digits.map(String.init).joined(separator: separator)
        let caller = Caller(number: number, displayName: "n\(number)", account: .direct, ids: [number])
        let (event, _) = try Self.redacted(.line(.offered(Sample.incoming, caller)))
        guard case .line(.offered(_, let seen)) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(seen.number.count == number.count)
        for text in [seen.number, seen.displayName ?? "", seen.ids[0]] {
            let left = Array(text.filter(\.isNumber))
            for start in 0...(digits.count - 4) {
                let four = digits[start..<start + 4]
                #expect(!left.indices.contains { left[$0...].starts(with: four) }, "\(number) became \(text)")
            }
        }
    }

    struct Pair: CustomTestStringConvertible, Sendable {
        let (one, other): (String, String)
        let (sameText, sameEnd): (Bool, Bool)
        var testDescription: String { "\(one) and \(other)" }

        init(_ one: String, _ other: String, sameText: Bool = false, sameEnd: Bool = false) {
            (self.one, self.other, self.sameText, self.sameEnd) = (one, other, sameText, sameEnd)
        }
    }

    /// Values that the phone compares, texts and the last ten digits, are equal afterwards exactly when they were
    /// before.
    @Test(arguments: [
        Pair("+442079461234", "+442079461234", sameText: true, sameEnd: true),
        Pair("+442079461234", "02079461234", sameEnd: true), Pair("+442079461234", "2079461234", sameEnd: true),
        Pair("+442079461234", "+442079461235"), Pair("00353861234567", "00363861234567", sameEnd: true),
        Pair("00353861234567", "00353861234568"), Pair("00442079461234", "+442079461234", sameEnd: true),
        Pair("020 7946 1234", "(020) 79461234", sameEnd: false),
        Pair("79461234", "79461234", sameText: true, sameEnd: true),
        Pair("79461234", "79461235"), Pair("7946123", "79461234"), Pair("alice", "alice", sameText: true),
        Pair("alice", "bob"), Pair("alice", "Alice", sameText: true),
        Pair("sip:a@x", "sip:b@x"), Pair("sip:a@x", "sip:a@y"),
        Pair("192.168.1.1", "192.168.1.2"), Pair("4711", "4712"), Pair("0000", "0001"),
    ])
    func redactedValuesAreEqualExactlyWhenOriginalsAre(_ pair: Pair) throws {
        let path = NetworkPath(.wired, addresses: [pair.one, pair.other])
        guard case .network(.path(let seen)) = try Self.redacted(.network(.path(path))).event else {
            Issue.record("no path")
            return
        }
        func end(_ text: String) -> String { String(text.filter(\.isNumber).suffix(10)) }
        let (one, other) = (seen.addresses[0], seen.addresses[1])
        #expect((one == other) == pair.sameText)
        if pair.sameEnd { #expect(end(one) == end(other)) }
        if pair.one.filter(\.isNumber).count > 3, !pair.sameEnd { #expect(end(one) != end(other) || one != other) }
    }

    @Test(arguments: [
        ("", ""), ("112", "112"), ("*21#", "*21#"), ("+442079461234", "+440000000000"), ("02079461234", "00000000000"),
        ("2079461234", "0000000000"), ("4711", "0000"), ("+353861234567", "+350000000000"),
        ("00353861234567", "00000000000000"),
        ("020 7946 1234", "000 0000 0000"), ("Ada 5551234", "name-1"), ("10.0.0.1", "00.0.0.0"), ("fd00::1", "name-1"),
        ("sip:ada@pbx", "sip:name-1@name-2"), ("SIPS:02079461234@10.0.0.1:5061", "SIPS:00000000000@00.0.0.0:0000"),
        ("tel:+442079461234", "tel:+440000000000"), ("١٢٣٤٥", "name-1"), ("12:34", "00:00"),
    ])
    func textIsRedacted(_ original: String, _ expected: String) throws {
        let path = NetworkPath(.wired, addresses: [original])
        #expect(
            try Self.redacted(.network(.path(path))).event
                == .network(.path(NetworkPath(.wired, addresses: [expected]))))
    }

    @Test func callDigitsAreZeros() throws {
        let sent = PhoneEvent.request(Sample.controlAction, .dtmf(nil, Sample.elements))
        let zeros: [DTMFElement] = [.symbol(.zero), .pause, .symbol(.zero), .symbol(.zero)]
        #expect(try Self.redacted(sent).event == .request(Sample.controlAction, .dtmf(nil, zeros)))
        let received = PhoneEvent.media(.dtmfReceived(Sample.incoming, .nine))
        #expect(try Self.redacted(received).event == .media(.dtmfReceived(Sample.incoming, .zero)))
        let unsent = PhoneEvent.line(.dtmfSent(Sample.incoming, unsent: Sample.elements))
        #expect(try Self.redacted(unsent).event == .line(.dtmfSent(Sample.incoming, unsent: zeros)))
    }

    /// The log without options: callers, callees and dialled numbers stay.
    @Test func callDigitsAreZerosWithoutRedaction() throws {
        var tape = Tape(privacy: .digitsHidden)
        let zeros: [DTMFElement] = [.symbol(.zero), .pause, .symbol(.zero), .symbol(.zero)]
        let told: [(PhoneEvent, PhoneEvent)] = [
            (.panel(.hookFound(.onHook)), .panel(.hookFound(.onHook))),
            (.panel(.hook(.offHook)), .panel(.hook(.offHook))),
            (.panel(.pressed(.digit(.seven))), .panel(.pressed(.digit(.seven)))),
            (.panel(.released(.digit(.seven))), .panel(.released(.digit(.seven)))),
            (
                .request(Sample.controlAction, .dtmf(nil, Sample.elements)),
                .request(Sample.controlAction, .dtmf(nil, zeros))
            ),
            (.media(.dtmfReceived(Sample.incoming, .nine)), .media(.dtmfReceived(Sample.incoming, .zero))),
            (
                .request(Sample.controlAction, .dial(Sample.number, account: nil)),
                .request(Sample.controlAction, .dial(Sample.number, account: nil))
            ),
        ]
        try tape.record(told.enumerated().map { (Sample.at + .milliseconds(100 * $0.offset), $0.element.0) })
        let (steps, _) = try Replay.run(tape.files[0])
        #expect(steps.moments.map(\.event) == told.map(\.1))
        guard case .began(let header) = steps[0] else {
            Issue.record("no header")
            return
        }
        #expect(!header.redacted && header.hidesDigits == true)
    }

    /// No digit pressed in a call, and no code of a door, gets into a file, whenever it starts.
    @Test(arguments: [1, 1 << 24]) func storyWithoutDigitsReplays(limit: Int) throws {
        var policy = PhonePolicy()
        policy.relays = [1: RelayPolicy(code: RelayCode([.nine, .seven, .nine, .seven], callers: []))]
        var tape = Tape(policy: policy, limit: limit, privacy: .digitsHidden)
        try tape.record(Story.events())
        for file in tape.files { _ = try Replay.run(file) }
        let symbols = [DTMFSymbol.nine, .seven].map(\.rawValue)
        #expect(!tape.text.contains("[\(symbols[0]),\(symbols[1])"))
        #expect(tape.text.contains("Grace") || tape.text.contains(Sample.number))
    }

    /// An input's name has one substitute everywhere, so the redacted alarm calls in a replay, too.
    @Test func alarmTargetsAreNotInFile() throws {
        var policy = PhonePolicy()
        policy.alarms = ["cellar": AlarmPolicy(SpeedDial([Sample.number]))]
        var tape = Tape(policy: policy, redacts: true)
        try tape.record([(Sample.at, .panel(.input("cellar", active: true)))])
        #expect(!tape.text.contains("cellar") && !tape.text.contains(Sample.number))
        let seen = try Replay.run(tape.files[0]).steps.moments.map(\.event)
        guard case .panel(.input(let name, active: true)) = seen.first else {
            Issue.record("no input")
            return
        }
        #expect(tape.text.ranges(of: "\"\(name)\"").count > 3, "policy, event, effects")
        #expect(tape.text.contains("alarmRaised"))
    }

    @Test func firstThreeDialledDigitsStay() throws {
        var tape = Tape(redacts: true)
        let keys: [DTMFSymbol] = [.zero, .three, .zero, .one, .two, .star, .eight]
        let presses = keys.flatMap { [.panel(.pressed(.digit($0))), .panel(.released(.digit($0)))] as [PhoneEvent] }
        let events = [.panel(.hookFound(.onHook)), .panel(.hook(.offHook))] + presses
        try tape.record(events.enumerated().map { (Sample.at + .milliseconds(100 * $0.offset), $0.element) })
        let seen = try Replay.run(tape.files[0]).steps.moments.map(\.event)
        let expected: [DTMFSymbol] = [.zero, .three, .zero, .five, .five, .star, .five]
        #expect(
            Array(seen.dropFirst(2))
                == expected.flatMap { [.panel(.pressed(.digit($0))), .panel(.released(.digit($0)))] as [PhoneEvent] })
    }

    @Test func headerMarksRedaction() throws {
        for redacts in [false, true] {
            var tape = Tape(redacts: redacts)
            try tape.record([(Sample.at, .deadline)])
            guard case .began(let header) = try Replay.run(tape.files[0]).steps[0] else {
                Issue.record("no header")
                return
            }
            #expect(header.redacted == redacts)
            #expect(header.program == "1.2.3")
        }
    }
}
