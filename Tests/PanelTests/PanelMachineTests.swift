import Base
import Panel
import PhoneCore
import Testing

@Suite("Panel machine on simulated wires, in simulated time")
struct PanelMachineTests {
    private static let harsh = ContactBounce(duration: .milliseconds(12), breaks: 5...40)

    @Test("a bouncing hook is lifted once and replaced once, in time", arguments: 0..<200 as Range<UInt64>)
    func bouncingHookIsLiftedOnceAndReplacedOnceInTime(_ seed: UInt64) throws {
        var phone = SimulatedTime(try Boards.small(), bounce: Self.harsh, seed: seed)
        phone.run(for: .milliseconds(100))
        try phone.apply(.liftHook)
        phone.run(for: .milliseconds(200))
        try phone.apply(.replaceHook)
        phone.run(for: .milliseconds(200))
        #expect(phone.events.map(\.event) == [.hook(.offHook), .hook(.onHook)])
        let acts = [100, 300].map { Instant.zero + .milliseconds($0) }
        for (event, act) in zip(phone.events, acts) {
            #expect((.milliseconds(30) ... .milliseconds(42)).contains(event.at - act))
        }
    }

    @Test("knocks of up to 25 ms are ignored")
    func knocksOfUpTo25MsAreIgnored() throws {
        var phone = SimulatedTime(try Boards.small(), bounce: .none, seed: 1)
        for length in 1...25 {
            try phone.apply(.liftHook)
            phone.run(for: .milliseconds(length))
            try phone.apply(.replaceHook)
            phone.run(for: .milliseconds(40))
        }
        #expect(phone.events.isEmpty)
    }

    @Test("a hook flash keeps its length, whatever the thread's lag", arguments: 0..<50 as Range<UInt64>)
    func hookFlashKeepsItsLengthWhateverThreadLag(_ seed: UInt64) throws {
        var phone = SimulatedTime(try Boards.small(), bounce: .typical, seed: seed, lag: .milliseconds(80))
        try phone.apply(.liftHook)
        phone.run(for: .seconds(1))
        try phone.apply(.replaceHook)
        phone.run(for: .milliseconds(100))
        try phone.apply(.liftHook)
        phone.run(for: .seconds(1))
        #expect(phone.events.map(\.event) == [.hook(.offHook), .hook(.onHook), .hook(.offHook)])
    }

    @Test("each key of the matrix is pressed and released once", arguments: 0..<50 as Range<UInt64>)
    func eachKeyOfMatrixIsPressedAndReleasedOnce(_ seed: UInt64) throws {
        var phone = SimulatedTime(try Boards.small(), bounce: .typical, seed: seed)
        var expected: [PanelEvent] = []
        for digit in 1...8 {
            let key = Key.digit(try #require(DTMFSymbol(rawValue: UInt8(digit))))
            try phone.apply(.press("\(digit)"))
            phone.run(for: .milliseconds(60))
            try phone.apply(.release("\(digit)"))
            phone.run(for: .milliseconds(60))
            expected += [.pressed(key), .released(key)]
        }
        #expect(phone.events.map(\.event) == expected)
    }

    @Test("a press is reported within 25 ms, and nothing is scanned without a pressed key")
    func pressIsReportedWithin25Ms() throws {
        var phone = SimulatedTime(try Boards.small(), bounce: .typical, seed: 3)
        phone.run(for: .seconds(60))
        #expect(phone.scans == 0)
        let start = phone.now
        try phone.apply(.press("5"))
        phone.run(for: .milliseconds(100))
        let told = try #require(phone.events.first)
        #expect(told.event == .pressed(.digit(.five)))
        #expect(told.at - start <= .milliseconds(25))
        try phone.apply(.release("5"))
        phone.run(for: .milliseconds(100))
        let scans = phone.scans
        phone.run(for: .seconds(60))
        #expect(phone.scans == scans)
    }

    @Test("two keys roll over; a third at a rectangle's corner is not believed, nor is its ghost")
    func twoKeysRollOverThirdAtRectangleCornerIsNotBelieved() throws {
        var phone = SimulatedTime(try Boards.small(), bounce: .typical, seed: 4)
        for stimulus in [PanelStimulus.press("1"), .press("2"), .press("4")] {
            try phone.apply(stimulus)
            phone.run(for: .milliseconds(60))
        }
        #expect(phone.events.map(\.event) == [.pressed(.digit(.one)), .pressed(.digit(.two))])
        try phone.apply(.release("1"))
        phone.run(for: .milliseconds(60))
        // 2 and 4 share no wire: now both are certain.
        let news = phone.events.dropFirst(2).map(\.event)
        #expect(news == [.pressed(.digit(.four)), .released(.digit(.one))])
    }

    @Test("buttons, keys and a hook work together")
    func buttonsKeysAndHookWorkTogether() throws {
        var phone = SimulatedTime(try Boards.small(), bounce: .none, seed: 5)
        for stimulus in [PanelStimulus.press("hold"), .press("8"), .liftHook] { try phone.apply(stimulus) }
        phone.run(for: .milliseconds(100))
        #expect(phone.events.count == 3)
        for event in [PanelEvent.pressed(.hold), .pressed(.digit(.eight)), .hook(.offHook)] {
            #expect(phone.events.contains { $0.event == event })
        }
    }

    @Test("with more edges than a kernel queue holds the final level is right", arguments: 0..<50 as Range<UInt64>)
    func withMoreEdgesThanKernelQueueHoldsFinalLevelIsRight(_ seed: UInt64) throws {
        let burst = ContactBounce(duration: .milliseconds(10), breaks: 80...100)
        var phone = SimulatedTime(try Boards.small(), bounce: burst, seed: seed, lag: .milliseconds(20))
        for _ in 0..<3 {
            try phone.apply(.liftHook)
            phone.run(for: .milliseconds(150))
            try phone.apply(.replaceHook)
            phone.run(for: .milliseconds(150))
        }
        let cycle: [PanelEvent] = [.hook(.offHook), .hook(.onHook)]
        #expect(phone.events.map(\.event) == cycle + cycle + cycle)
    }

    /// Random use of everything at once: each release follows its press, and hook events alternate.
    @Test("three hundred random acts keep the rules", arguments: 0..<6 as Range<UInt64>)
    func threeHundredRandomActsKeepRules(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var phone = SimulatedTime(try Boards.small(), bounce: Self.harsh, seed: seed, lag: .milliseconds(10))
        let names = (1...8).map { "\($0)" } + ["hold"]
        for _ in 0..<300 {
            let name = names[Int.random(in: 0..<names.count, using: &generator)]
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: try phone.apply(.liftHook)
            case 1: try phone.apply(.replaceHook)
            case 2, 3: try phone.apply(.press(name))
            default: try phone.apply(.release(name))
            }
            phone.run(for: .microseconds(Int.random(in: 0...60_000, using: &generator)))
        }
        for name in names { try phone.apply(.release(name)) }
        try phone.apply(.replaceHook)
        phone.run(for: .seconds(1))
        var down: Set<Key> = []
        var hook = HookPosition.onHook
        for (event, _) in phone.events {
            switch event {
            case .pressed(let key): #expect(down.insert(key).inserted)
            case .released(let key): #expect(down.remove(key) != nil)
            case .hook(let position):
                #expect(position != hook)
                hook = position
            case .hookFound, .input, .failed: Issue.record("not of the machine: \(event)")
            }
        }
        #expect(down.isEmpty)
        #expect(hook == .onHook)
        #expect(phone.events.count > 60)
    }

    @Test("an unknown name is rejected")
    func unknownNameIsRejected() throws {
        var phone = SimulatedTime(try Boards.small(), bounce: .none, seed: 1)
        #expect(throws: PanelError.self) { try phone.apply(.press("9")) }
        #expect(throws: PanelError.self) { try phone.apply(.setLine("lamps.hold", active: true)) }
        #expect(phone.events.isEmpty)
    }

    @Test("a repeated order does not restart its pattern")
    func repeatedOrderDoesNotRestartItsPattern() throws {
        var machine = PanelMachine(PanelPlan(try Boards.small().panel), hookIsActive: false)
        _ = machine.looked(edges: [], active: [], at: .zero)
        machine.perform(.lamp(.ringing, .slowBlink), at: .zero)
        machine.perform(.lamp(.ringing, .slowBlink), at: .zero + .milliseconds(700))
        #expect(!machine.isOn(.lamp(.ringing), at: .zero + .milliseconds(701)))
        #expect(machine.deadline(after: .zero + .milliseconds(700)) == .zero + .seconds(1))
        machine.perform(.lamp(.ringing, .on), at: .zero + .milliseconds(702))
        #expect(machine.isOn(.lamp(.ringing), at: .zero + .milliseconds(702)))
        #expect(machine.deadline(after: .zero + .milliseconds(702)) == nil)
    }
}
