import Base
import Panel
import PhoneCore
import Testing

@Suite("Rotary dial, inputs and relays on simulated wires, in simulated time")
struct DialPanelTests {
    private func key(_ pulses: Int) -> [PanelEvent] {
        let key = Key.digit(DialMap.standard.digit(pulses: pulses))
        return [.pressed(key), .released(key)]
    }

    private func dial(_ pulses: Int, _ speed: Int, _ phone: inout SimulatedTime) throws {
        try phone.apply(.dial(DialMap.standard.digit(pulses: pulses), pulsesPerSecond: speed))
        phone.run(for: .milliseconds(700) + .milliseconds(200) * pulses)
    }

    @Test("every digit is a key press and release, at every usual speed", arguments: [true, false])
    func everyDigitIsKeyPressAndReleaseAtEveryUsualSpeed(_ offNormal: Bool) throws {
        for speed in 8...11 {
            var phone = SimulatedTime(try Boards.rotary(offNormal: offNormal), bounce: .typical, seed: UInt64(speed))
            phone.run(for: .seconds(1))
            for pulses in 1...10 { try dial(pulses, speed, &phone) }
            #expect(phone.events.map(\.event) == (1...10).flatMap(key))
            #expect(phone.dialFaults == 0)
        }
    }

    @Test("the board's map and times apply")
    func boardMapAndTimesApply() throws {
        let board = try Boards.rotary(offNormal: false, more: ", map: sweden, silence: 500 ms, period: 400 ms")
        var phone = SimulatedTime(board, bounce: .typical, seed: 1)
        phone.run(for: .seconds(1))
        try phone.apply(.dial(.zero, pulsesPerSecond: 4))
        phone.run(for: .seconds(2))
        try phone.apply(.dial(.four, pulsesPerSecond: 4))
        phone.run(for: .seconds(3))
        let pressed = phone.events.filter { if case .pressed = $0.event { true } else { false } }
        #expect(pressed.map(\.event) == [.pressed(.digit(.zero)), .pressed(.digit(.four))])
    }

    @Test("a dial turned again before it rests: the first turn gives no more than its past pulses")
    func dialTurnedAgainBeforeItRests() throws {
        var phone = SimulatedTime(try Boards.rotary(offNormal: true), bounce: .typical, seed: 1)
        phone.run(for: .seconds(1))
        try phone.apply(.dial(.nine, pulsesPerSecond: 10))
        phone.run(for: .milliseconds(300))
        try phone.apply(.dial(.two, pulsesPerSecond: 10))
        phone.run(for: .seconds(2))
        #expect(phone.events.map(\.event) == key(2))
        #expect(phone.dialFaults == 1)
    }

    @Test("impossible dial settings are rejected")
    func impossibleDialSettingsAreRejected() throws {
        var phone = SimulatedTime(try Boards.rotary(offNormal: true), bounce: .none, seed: 1)
        for (digit, speed) in [(DTMFSymbol.star, 10), (.a, 10), (.one, 0), (.one, 26), (.one, -1)] {
            #expect(throws: PanelError.self) { try phone.apply(.dial(digit, pulsesPerSecond: speed)) }
        }
        var keypad = SimulatedTime(try Boards.small(), bounce: .none, seed: 1)
        #expect(throws: PanelError.self) { try keypad.apply(.dial(.one, pulsesPerSecond: 10)) }
        phone.run(for: .seconds(2))
        #expect(phone.events.isEmpty)
    }

    /// So late that more edges wait than a kernel keeps: digits may be lost then, and none may be wrong.
    @Test("a late thread reads the same digits", arguments: [8, 80, 400], 0..<20 as Range<UInt64>)
    func lateThreadReadsSameDigits(_ lag: Int, _ seed: UInt64) throws {
        let board = try Boards.rotary(offNormal: seed.isMultiple(of: 2))
        var phone = SimulatedTime(board, bounce: .typical, seed: seed, lag: .milliseconds(lag))
        phone.run(for: .seconds(1))
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let (before, faults) = (phone.events.count, phone.dialFaults)
            let pulses = Int.random(in: 1...10, using: &generator)
            try dial(pulses, Int.random(in: 8...11, using: &generator), &phone)
            phone.run(for: .seconds(2))
            let told = phone.events[before...].map(\.event)
            let isDropped = lag > 8 && told.isEmpty && phone.dialFaults > faults
            #expect(told == key(pulses) || isDropped, "\(told), not \(pulses)")
        }
    }

    @Test(
        "an input is reported on debounced changes, and at start if active",
        arguments: [true, false])
    func inputIsReportedOnDebouncedChangesAndAtStartIfActive(_ activeAtStart: Bool) throws {
        var phone = SimulatedTime(try Boards.rotary(offNormal: true), bounce: .typical, seed: 1)
        try phone.apply(.setLine("inputs.tamper", active: activeAtStart))
        phone.run(for: .seconds(1))
        try phone.apply(.setLine("inputs.tamper", active: !activeAtStart))
        phone.run(for: .milliseconds(29))
        let early = phone.events.count
        phone.run(for: .milliseconds(1))
        #expect(phone.events.count == early + 1)
        for _ in 0..<10 {
            try phone.apply(.setLine("inputs.tamper", active: activeAtStart))
            phone.run(for: .milliseconds(20))
            try phone.apply(.setLine("inputs.tamper", active: !activeAtStart))
            phone.run(for: .milliseconds(20))
        }
        let expected: [PanelEvent] = [.input("tamper", active: true), .input("tamper", active: false)]
        #expect(phone.events.map(\.event) == (activeAtStart ? expected : [expected[0]]))
    }

    @Test("a relay stays on until ordered off, and no other is affected")
    func relayStaysOnUntilOrderedOffAndNoOtherIsAffected() throws {
        var phone = SimulatedTime(try Boards.rotary(offNormal: true), bounce: .none, seed: 1)
        #expect(!phone.isOn(.relay(2)))
        phone.perform(.relay(2, on: true))
        phone.run(for: .seconds(3600))
        #expect(phone.isOn(.relay(2)))
        #expect(!phone.isOn(.relay(1)))
        phone.perform(.relay(2, on: false))
        #expect(!phone.isOn(.relay(2)))
    }
}
