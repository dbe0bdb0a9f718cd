import Base
import Media
import PhoneCore
import Platform
import RTPCore
import Testing

extension RealTime {
    /// Calls whose path ICE finds (RFC 8445).
    @Suite
    struct ConnectionTests {
        @Test(arguments: [true, false])
        func voicePassesOnFoundPath(hasHandshake: Bool) throws {
            let call = try TestCall(iceWithHandshake: hasHandshake)
            #expect(call.connect() && call.isUp())
            let match = try #require(call.carry(seconds: 1))
            #expect(match.correlation > 0.8)
            for phone in [call.a, call.b] {
                #expect(phone.log.count { $0 == .ready(TestPhone.call) } == 1)
            }
        }

        @Test func pathMayUseIPv6() throws {
            let call = try TestCall(iceWithHandshake: true, isVersion6: true)
            for end in [call.planA.ice?.local, call.planB.ice?.local] {
                let candidates = try #require(end?.candidates)
                #expect(candidates.count == 1 && candidates[0].contains(" ::1 "), "\(candidates)")
            }
            #expect(call.connect() && call.isUp())
            #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
        }

        /// The far end gets the answer later: its checks find the path then.
        @Test func oneEndMayStartFirst() throws {
            let call = try TestCall(iceWithHandshake: true)
            call.a.perform(.connect(TestPhone.call, call.planA), .activate(TestPhone.call))
            listen(milliseconds: 700)
            #expect(call.connect() && call.isUp())
        }

        /// An early handshake is answered as soon as possible: its next repetition is 700 ms away.
        @Test func earlyHandshakeIsKept() throws {
            let call = try TestCall(iceWithHandshake: true)
            call.a.perform(.connect(TestPhone.call, call.planA), .activate(TestPhone.call))
            listen(milliseconds: 800)
            let began = MonotonicClock.now()
            #expect(call.connect() && call.isUp())
            let took = MonotonicClock.now() - began
            #expect(took < .milliseconds(500), "voice is there after \(took)")
        }

        /// On a found path the far end has proved its address: a cookie would cost a round trip for nothing.
        @Test func foundPathNeedsNoCookie() throws {
            let (left, right) = (try DeskPhone(), try DeskPhone())
            let call = try TestCall(iceWithHandshake: true).between(left, right)
            call.begin()
            var answers: [UInt8] = []
            let end = MonotonicClock.now() + .seconds(5)
            while MonotonicClock.now() < end, answers.isEmpty {
                for packet in left.received() { right.send(packet, to: call.b.port) }
                for packet in right.received() {
                    left.send(packet, to: call.a.port)
                    // A handshake message; its type follows the record's header (RFC 6347 §4.2.2).
                    if packet[0] == 22 { answers.append(packet[13]) }
                }
                listen(milliseconds: 1)
            }
            #expect(answers.first == 2, "the passive end sends its hello at once")
        }

        @Test func nothingIsSentBeforePath() throws {
            let (left, right) = (try DeskPhone(), try DeskPhone())
            let call = try TestCall(iceWithHandshake: false).between(left, right)
            call.begin()
            listen(milliseconds: 500)
            #expect(!left.received().isEmpty || !right.received().isEmpty, "it asks for a way")
            let statistics = call.a.media.statistics
            #expect((statistics.packetsSent, statistics.sendFailures) == (0, 0))
            #expect(call.a.log.count { $0 == .ready(TestPhone.call) } == 0)
        }

        /// Another ICE session, as after a network change, does not interrupt the voice of the former one.
        @Test func newSessionReplacesOldOne() throws {
            var call = try TestCall(iceWithHandshake: true)
            #expect(call.connect() && call.isUp())
            call.a.perform(.gather(TestPhone.call))
            call.b.perform(.gather(TestPhone.call))
            let (ours, theirs) = (try #require(call.a.gathered()), try #require(call.b.gathered()))
            #expect(ours.userFragment != call.planA.ice?.local.userFragment)
            call = call.with(ours, theirs)
            call.a.perform(.update(TestPhone.call, call.planA))
            call.b.perform(.update(TestPhone.call, call.planB))
            #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
            #expect(call.a.log.count { $0 == .ready(TestPhone.call) } == 1)
        }

        /// As after a server's crash: the far end restarts with the same certificate, and each end sends from its
        /// other port.
        @Test(arguments: [1, 2]) func renewedSessionUsesOtherPort(rounds: Int) throws {
            var call = try TestCall(iceWithHandshake: true)
            #expect(call.connect() && call.isUp())
            for round in 1...rounds {
                call = call.renewed(round)
                call.a.perform(.update(TestPhone.call, call.planA))
                call.b.perform(.update(TestPhone.call, call.planB))
                for phone in [call.a, call.b] { #expect(phone.waitForKeys(round + 1)) }
                #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
                #expect(try #require(call.reversed.carry(seconds: 1)).correlation > 0.8)
            }
        }

        /// A stranger's checks without the call's password get an error at most, and clear voice from elsewhere is not
        /// heard.
        @Test func strangersAreRejected() throws {
            let call = try TestCall(iceWithHandshake: false)
            #expect(call.connect() && call.isUp())
            let stranger = try DeskPhone()
            let packet = [0x80, 111, 0, 1, 0, 0, 0, 160, 1, 2, 3, 4] + [UInt8](repeating: 0x55, count: 60)
            let question: [UInt8] = [0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + Array(repeating: 7, count: 12)
            for _ in 0..<20 {
                stranger.send(packet, to: call.a.port)
                stranger.send(question, to: call.a.port)
            }
            listen(milliseconds: 300)
            #expect(call.a.media.statistics.strangers >= 20)
            #expect(stranger.received().allSatisfy { $0[0] == 1 && $0[1] == 0x11 }, "errors at most")
            let taken = call.a.media.statistics.packetsReceived
            #expect(taken <= call.b.media.statistics.packetsSent, "none but the far end's")
        }

        /// The first flights of a handshake are in clear, and so is a stranger's forged end of it.
        @Test func strangerCannotEndHandshake() throws {
            let call = try TestCall(iceWithHandshake: true)
            call.a.perform(.connect(TestPhone.call, call.planA), .activate(TestPhone.call))
            listen(milliseconds: 200)
            let stranger = try DeskPhone()
            let alert: [UInt8] = [21, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 40]
            for _ in 0..<10 { stranger.send(alert, to: call.a.port) }
            listen(milliseconds: 300)
            let failure = call.a.log.count { if case .failed(TestPhone.call, _) = $0 { true } else { false } }
            #expect(failure == 0)
            #expect(call.connect() && call.isUp())
        }

        @Test func relayedOnlyNeedsServer() throws {
            let phone = try TestPhone { $0.ice[.direct] = ICESettings(.relayed) }
            phone.perform(.open(TestPhone.call, .direct))
            let told = phone.log.wait { if case .failed(TestPhone.call, let text) = $0 { text } else { nil } }
            #expect(told == "no TURN server can relay: their addresses are unknown")
        }

        @Test func withoutICEThereAreNoCandidates() throws {
            let phone = try TestPhone { $0.ice[.direct] = ICESettings(.off) }
            #expect(phone.open() && phone.ice == nil)
        }
    }
}

extension TestPhone {
    /// The candidates that were gathered again.
    fileprivate func gathered() -> ICEDescription? {
        log.wait { event in
            if case .gathered(Self.call, let endpoint) = event { endpoint.ice?.description } else { nil }
        }
    }
}

extension TestCall {
    /// Another session at both ends: other credentials, the other port, another association.
    fileprivate func renewed(_ round: Int) -> TestCall {
        func renew(_ end: ICEDescription, _ phone: TestPhone) -> ICEDescription {
            let port = round.isMultiple(of: 2) ? phone.port : phone.port + 1
            let password = SecretBytes(Array(String(repeating: "p\(round)", count: 16).utf8))
            return ICEDescription(
                userFragment: end.userFragment + "\(round)", password: password,
                candidates: ["1 1 udp 2130706431 127.0.0.1 \(port) typ host"])
        }
        var (planA, planB) = (planA, planB)
        guard let ours = planA.ice?.local, let theirs = planB.ice?.local else { return self }
        let (nextA, nextB, isOther) = (renew(ours, a), renew(theirs, b), !round.isMultiple(of: 2))
        planA.ice = .init(local: nextA, remote: nextB, isControlling: true, usesControlPort: isOther)
        planB.ice = .init(local: nextB, remote: nextA, isControlling: false, usesControlPort: isOther)
        func associate(_ plan: NegotiatedMedia) -> NegotiatedMedia {
            var plan = plan
            plan.protection = plan.dtls.map {
                .dtls(.init(isActive: $0.isActive, fingerprints: $0.fingerprints, number: UInt32(round)))
            }
            return plan
        }
        return TestCall(a, b, associate(planA), associate(planB))
    }

    fileprivate func with(_ ours: ICEDescription, _ theirs: ICEDescription) -> TestCall {
        var (planA, planB) = (planA, planB)
        planA.ice = .init(local: ours, remote: theirs, isControlling: true)
        planB.ice = .init(local: theirs, remote: ours, isControlling: false)
        return TestCall(a, b, planA, planB)
    }

    /// The same call, whose ends find each other only through a middle box.
    /// - Parameters:
    /// - left: B's address in A's view.
    /// - right: A's address in B's view.
    fileprivate func between(_ left: DeskPhone, _ right: DeskPhone) -> TestCall {
        var (planA, planB) = (planA, planB)
        planA.ice?.remote.candidates = ["1 1 udp 2130706431 127.0.0.1 \(left.port) typ host"]
        planB.ice?.remote.candidates = ["1 1 udp 2130706431 127.0.0.1 \(right.port) typ host"]
        return TestCall(a, b, planA, planB)
    }
}
