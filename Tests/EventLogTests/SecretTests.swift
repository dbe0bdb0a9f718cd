import Base
import EventLog
import PhoneCore
import Testing

@Suite("No secret is ever in a recording")
struct SecretTests {
    private static let password = "correct horse battery staple"

    private static var story: [(at: Instant, event: PhoneEvent)] {
        var context = Sample.context
        context.credentials.password = Redacted(password)
        var memory = Sample.memory
        memory.context = context
        var story = Story.events()
        story.insert((story[0].at, .vault(.remembered(memory))), at: 0)
        story.insert((story[1].at, .backend(.switched(context))), at: 1)
        return story
    }

    @Test(arguments: [false, true], [1, 1 << 24])
    func secretIsInNoEncoding(redacts: Bool, limit: Int) throws {
        var tape = Tape(limit: limit, redacts: redacts)
        try tape.record(Self.story)
        let text = tape.text
        for key in 1...4 as ClosedRange<UInt8> {
            let secret = Story.secret(key)
            let hexadecimal = secret.map { String($0, radix: 16) }.joined()
            let decimal = secret.prefix(4).map { "\($0)" }.joined(separator: ",")
            for spelling in [hexadecimal, hexadecimal.uppercased(), decimal] { #expect(!text.contains(spelling)) }
            for file in tape.files { #expect(!file.contains(secret.prefix(8))) }
        }
        #expect(!text.contains("horse"))
    }

    /// Equal secrets have one name in a file, different ones two, so comparisons give the same results.
    @Test func equalSecretsStayEqual() throws {
        var tape = Tape()
        try tape.record(Story.events())
        let keys = try Replay.run(tape.files[0]).steps.moments.compactMap { moment -> SecretBytes? in
            switch moment.event {
            case .line(.answered(_, let plan)), .line(.holdSettled(_, .some(let plan))),
                .line(.renegotiated(_, let plan, _)):
                plan.sdes?.sendKey
            case .panel, .line, .media, .vault, .network, .callerInfo, .backend, .request, .clock, .policyChanged,
                .deadline,
                .shutDown:
                nil
            }
        }
        #expect(keys.count == 3)
        #expect(keys[0] == keys[1])
        #expect(keys[0] != keys[2])
    }
}
