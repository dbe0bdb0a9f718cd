import Base
import EventLog
import PhoneCore
import Testing

@Suite("A recording is bounded, and each of its files replays by itself")
struct WriterTests {
    @Test(arguments: [false, true])
    func storyFitsOneFile(redacts: Bool) throws {
        var tape = Tape(redacts: redacts)
        let story = Story.events()
        try tape.record(story)
        #expect(tape.files.count == 1)
        let (steps, verdict) = try Replay.run(tape.files[0])
        #expect(verdict.events == story.count)
        #expect(verdict.effects == steps.moments.map(\.effects.count).reduce(0, +))
        #expect(verdict.effects > 20, "the story is one in which something happens")
        #expect(verdict.cutOff == 0)
        #expect(steps.moments.map(\.time) == story.map { $0.at - story[0].at })
        if !redacts { #expect(steps.moments.map(\.event) == story.map(\.event).map(\.withNamedSecrets)) }
    }

    /// A limit of one byte puts every event into a separate file; the larger ones cut at other places.
    @Test(arguments: [1, 3_000, 12_000, 24_000, 50_000], [false, true])
    func filesRotate(limit: Int, redacts: Bool) throws {
        var tape = Tape(limit: limit, redacts: redacts)
        let story = Story.events()
        try tape.record(story)
        var events = 0
        for file in tape.files {
            #expect(file.starts(with: EventLogFormat.opening))
            let lines = file.split(separator: UInt8(ascii: "\n"))
            #expect(file.count <= limit || lines.count == 2, "only a first event may exceed the limit")
            events += try Replay.run(file).verdict.events
        }
        #expect(events == story.count)
        if limit == 1 { #expect(tape.files.count == story.count) }
    }

    @Test func fileIsFilledToItsLimit() throws {
        var whole = Tape()
        try whole.record(Story.events())
        // A file that ends exactly at its limit is not rotated; with one byte less it is.
        var exact = Tape(limit: whole.files[0].count)
        try exact.record(Story.events())
        #expect(exact.files.count == 1)
        var tight = Tape(limit: whole.files[0].count - 1)
        try tight.record(Story.events())
        #expect(tight.files.count == 2)
    }

    @Test func lossClosesFileAndStartsNextOne() throws {
        var tape = Tape()
        let story = Story.events()
        for (index, moment) in story.enumerated() {
            let happening = tape.step(moment.event, at: moment.at)
            switch index {
            case 10..<14: continue
            case 14: try tape.write(.lost(4))
            default: break
            }
            try tape.write(.happening(happening))
        }
        #expect(tape.files.count == 2)
        let before = try Replay.run(tape.files[0])
        #expect(before.verdict.events == 10)
        #expect(before.verdict.lost == 4)
        let after = try Replay.run(tape.files[1])
        #expect(after.verdict.events == story.count - 14)
        #expect(after.verdict.lost == 0)
    }

    @Test func lossBeforeFirstEventMakesNoFile() throws {
        var tape = Tape()
        try tape.write(.lost(3))
        #expect(tape.files == [[]])
        try tape.record(Story.events())
        #expect(tape.files.count == 1)
    }

    @Test func oversizedEventIsErrorAndLeavesReadableFile() throws {
        var tape = Tape()
        try tape.record([(Sample.at, .deadline)])
        let contacts = (0..<20_000).map { Contact(name: "somebody with a name \($0)", number: "030\($0)") }
        let happening = tape.step(.vault(.contacts(contacts)), at: Sample.at)
        #expect(throws: EventLogError.self) { try tape.write(.happening(happening)) }
        #expect(try Replay.run(tape.files[0]).verdict.events == 1)
    }
}

extension PhoneEvent {
    /// The event with the pseudonymous keys of the story's recording, in the order in which they appear.
    fileprivate var withNamedSecrets: PhoneEvent {
        func named(_ plan: NegotiatedMedia) -> NegotiatedMedia {
            var plan = plan
            func name(_ key: SecretBytes) -> SecretBytes {
                let keys = [1, 2, 3, 4].map { SecretBytes(Story.secret($0)) }
                let index = keys.firstIndex(of: key) ?? 9
                // The password and the login token of the memory came first.
                return .pseudonym(index + 3)
            }
            plan.protection = plan.sdes.map {
                .sdes(.init(suite: $0.suite, sendKey: name($0.sendKey), receiveKey: name($0.receiveKey)))
            }
            return plan
        }
        return switch self {
        case .line(.answered(let call, let plan)): .line(.answered(call, named(plan)))
        case .line(.holdSettled(let call, let plan)): .line(.holdSettled(call, plan.map(named)))
        case .line(.renegotiated(let call, let plan, let held)):
            .line(.renegotiated(call, named(plan), heldByFarEnd: held))
        case .panel, .line, .media, .vault, .network, .callerInfo, .backend, .request, .clock, .policyChanged,
            .deadline,
            .shutDown:
            self
        }
    }
}
