import Base
import Cryptography
import Media
import PhoneCore
import Testing

extension RealTime {
    /// A call that rings at two places, which both send candidates before either answers: early media with ICE, and
    /// then another far end with other credentials and another certificate.
    @Suite
    struct ForkedCallTests {
        enum First: CaseIterable { case heard, late, mute }

        private let caller: TestPhone
        private let ring: TestCall
        private let answer: TestCall

        /// - Parameter hasHandshake: whether keys come from handshakes, which the far ends begin; else there are no keys.
        private init(hasHandshake: Bool) throws {
            let identities = try (0..<3).map { _ in try DTLSIdentity.make() }
            let phones = try identities.map { identity in
                try TestPhone(identity: identity) { $0.ice[.direct] = ICESettings(.always) }
            }
            guard phones.allSatisfy({ $0.open() }) else { throw TestCall.NotConnected() }
            caller = phones[0]
            let shown = identities.map(\.certificate.fingerprint)
            let calls = try (1...2).map { place in
                let (ours, theirs) = (
                    try #require(phones[0].ice?.description), try #require(phones[place].ice?.description)
                )
                var (planA, planB) = (
                    phones[0].plan(to: phones[place], isActive: false, expecting: shown[place]),
                    phones[place].plan(to: phones[0], isActive: true, expecting: shown[0])
                )
                if !hasHandshake { (planA.protection, planB.protection) = (nil, nil) }
                planA.ice = .init(local: ours, remote: theirs, isControlling: true)
                planB.ice = .init(local: theirs, remote: ours, isControlling: false)
                return TestCall(phones[0], phones[place], planA, planB)
            }
            (ring, answer) = (calls[0], calls[1])
        }

        init() throws { try self.init(hasHandshake: true) }

        /// The first fork is heard before an answer; after it, only the fork that answered.
        @Test(arguments: First.allCases)
        func answeringForkIsHeard(first: First) throws {
            caller.perform(.connect(TestPhone.call, ring.planA), .activate(TestPhone.call))
            if first == .heard {
                ring.b.perform(.connect(TestPhone.call, ring.planB), .activate(TestPhone.call))
                #expect(caller.log.wait(for: .firstVoice(TestPhone.call)))
            }
            caller.perform(.update(TestPhone.call, answer.planA))
            if first == .late { ring.b.perform(.connect(TestPhone.call, ring.planB), .activate(TestPhone.call)) }
            answer.b.perform(.connect(TestPhone.call, answer.planB), .activate(TestPhone.call))
            #expect(answer.b.log.wait(for: .firstVoice(TestPhone.call)))
            for call in [answer, answer.reversed] {
                #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
            }
            let failures = caller.log.count { if case .failed = $0 { true } else { false } }
            #expect(failures == 0)
        }

        /// A forked call without keys: the path identifies the sender.
        @Test func pathIdentifiesForkWithoutKeys() throws {
            let fork = try ForkedCallTests(hasHandshake: false)
            fork.caller.perform(.connect(TestPhone.call, fork.ring.planA), .activate(TestPhone.call))
            fork.ring.b.perform(.connect(TestPhone.call, fork.ring.planB), .activate(TestPhone.call))
            #expect(fork.caller.log.wait(for: .firstVoice(TestPhone.call)))
            fork.caller.perform(.update(TestPhone.call, fork.answer.planA))
            fork.answer.b.perform(.connect(TestPhone.call, fork.answer.planB), .activate(TestPhone.call))
            #expect(fork.answer.b.log.wait(for: .firstVoice(TestPhone.call)))
            for call in [fork.answer, fork.answer.reversed] {
                #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
            }
        }
    }
}
