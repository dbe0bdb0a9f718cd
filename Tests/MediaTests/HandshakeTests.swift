import Base
import Cryptography
import Media
import PhoneCore
import Testing

extension RealTime {
    /// Calls with keys from a handshake on the media path (RFC 5764).
    @Suite
    struct HandshakeTests {
        private static func failure(_ event: MediaEvent) -> String? {
            if case .failed(TestPhone.call, let text) = event { text } else { nil }
        }

        /// A phone in a call with a peer that never finishes a handshake.
        private func phone(inCallWith peer: DeskPhone, beginning isActive: Bool) throws -> TestPhone {
            let phone = try TestPhone(identity: .make())
            #expect(phone.open())
            var plan = peer.plan
            plan.protection = .dtls(.init(isActive: isActive, fingerprints: [Array(repeating: 9, count: 32)]))
            phone.perform(.connect(TestPhone.call, plan), .activate(TestPhone.call))
            return phone
        }

        @Test(arguments: [true, false])
        func voiceArrivesUnderHandshakeKeys(isBegunByA: Bool) throws {
            let call = try TestCall(handshakeBegunByA: isBegunByA)
            #expect(call.connect() && call.isUp())
            let match = try #require(call.carry(seconds: 1))
            #expect(match.correlation > 0.8)
            for phone in [call.a, call.b] {
                #expect(phone.log.count { $0 == .ready(TestPhone.call) } == 1)
                #expect(phone.media.statistics.unauthenticated < 5, "at most what came before the keys")
            }
        }

        @Test
        func bothEndsShowSameWords() throws {
            let call = try TestCall(handshakeBegunByA: true)
            #expect(call.connect())
            let shown = [call.a, call.b].map { phone in
                phone.log.wait { if case .keyShown(TestPhone.call, let key) = $0 { key } else { nil } }
            }
            let (here, there) = (try #require(shown[0]), try #require(shown[1]))
            #expect(here.words == there.words && here.words.split(separator: " ").count == 4)
            #expect(call.planA.dtls?.fingerprints == [here.fingerprint])
            #expect(call.planB.dtls?.fingerprints == [there.fingerprint])
        }

        @Test
        func eachCallMayShowItsOwnCertificate() throws {
            let call = try TestCall(handshakeBegunByA: true, certificate: .call)
            let other = try #require(call.a.open(CallID(.phone, 2)))
            let shown = [call.a.fingerprint, call.b.fingerprint, other.fingerprint].compactMap(\.self)
            #expect(Set(shown).count == 3)
            #expect(call.connect() && call.isUp())
            let key = call.b.log.wait { if case .keyShown(TestPhone.call, let key) = $0 { key } else { nil } }
            #expect(key?.fingerprint == call.a.fingerprint)
        }

        /// The first flight waits in the socket of the end that gets the answer later.
        @Test
        func oneEndMayStartFirst() throws {
            let call = try TestCall(handshakeBegunByA: true)
            call.a.perform(.connect(TestPhone.call, call.planA), .activate(TestPhone.call))
            listen(milliseconds: 700)
            #expect(call.connect() && call.isUp())
        }

        @Test
        func wrongCertificateEndsCallBeforeVoice() throws {
            let call = try TestCall(handshakeBegunByA: false, expecting: .make())
            call.begin()
            let told = try #require(call.a.log.wait(for: Self.failure))
            #expect(told == "the DTLS handshake failed: the far end has another certificate")
            #expect(call.b.log.wait(for: Self.failure) != nil)
            for phone in [call.a, call.b] {
                let statistics = phone.media.statistics
                #expect((statistics.packetsSent, statistics.packetsReceived) == (0, 0))
                #expect(phone.log.count { $0 == .ready(TestPhone.call) } == 0)
            }
        }

        /// A peer without a handshake gets no voice, and its packets are dropped.
        @Test
        func nothingIsSentInClear() throws {
            let peer = try DeskPhone()
            let phone = try phone(inCallWith: peer, beginning: true)
            let packet = [0x80, 0, 0, 1, 0, 0, 0, 160, 1, 2, 3, 4] + [UInt8](repeating: 0x55, count: 160)
            for _ in 0..<20 { peer.send(packet, to: phone.port) }
            listen(milliseconds: 600)
            let received = peer.received()
            #expect(received.count >= 2 && received.allSatisfy { (20...63).contains($0[0]) }, "flights alone")
            #expect(phone.media.statistics.unauthenticated == 20)
            #expect(phone.log.count { $0 == .ready(TestPhone.call) } == 0)
        }

        /// Without ICE only the far end's host is known. Unproven ClientHellos from there get smaller answers, and
        /// neither they nor a clear alert end the call.
        @Test
        func strangersCannotEndHandshake() throws {
            let call = try TestCall(handshakeBegunByA: true)
            call.b.perform(.connect(TestPhone.call, call.planB), .activate(TestPhone.call))
            listen(milliseconds: 50)
            let stranger = try DeskPhone()
            let hello: [UInt8] = [254, 253] + [UInt8](repeating: 7, count: 32) + [0, 0, 0, 2, 0xC0, 0x2B, 1, 0]
            let length = UInt8(hello.count)
            let message = [1, 0, 0, length, 0, 0, 0, 0, 0, 0, 0, length] + hello
            let clientHello = [22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(message.count)] + message
            let alert: [UInt8] = [21, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 40]
            var answers: [[UInt8]] = []
            for number in 0..<2_000 {
                stranger.send(clientHello, to: call.b.port)
                guard number % 20 == 0 else { continue }
                stranger.send(alert, to: call.b.port)
                listen(milliseconds: 2)
                answers += stranger.received()
            }
            #expect(!answers.isEmpty && answers.allSatisfy { $0.count < clientHello.count })
            #expect(call.connect() && call.isUp())
        }

        /// Garbage that looks like DTLS, from the far end's address.
        @Test
        func garbageIsTolerated() throws {
            let peer = try DeskPhone()
            let phone = try phone(inCallWith: peer, beginning: false)
            var random = SeededGenerator(seed: 5_764)
            for _ in 0..<200 {
                var packet = (0..<Int.random(in: 1...600, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                packet[0] = UInt8.random(in: 20...63, using: &random)
                peer.send(packet, to: phone.port)
                if packet.count % 8 == 0 { listen(milliseconds: 5) }
            }
            listen(milliseconds: 200)
            #expect(phone.log.wait(seconds: 1, for: Self.failure) == nil)
            #expect(phone.log.count { $0 == .ready(TestPhone.call) } == 0)
        }

        @Test
        func holdKeepsKeysAndNewCertificateBringsNewOnes() throws {
            let call = try TestCall(handshakeBegunByA: true)
            #expect(call.connect() && call.isUp())
            var held = (call.planA, call.planB)
            (held.0.sends, held.0.receives, held.1.sends, held.1.receives) = (false, false, false, false)
            call.a.perform(.update(TestPhone.call, held.0), .update(TestPhone.call, call.planA))
            call.b.perform(.update(TestPhone.call, held.1), .update(TestPhone.call, call.planB))
            #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
            #expect(call.a.log.count { $0 == .ready(TestPhone.call) } == 1, "no other handshake")

            // With reversed roles it is another handshake, with the same certificates.
            let turned = (call.planA.turned(to: false), call.planB.turned(to: true))
            call.a.perform(.update(TestPhone.call, turned.0))
            call.b.perform(.update(TestPhone.call, turned.1))
            #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
            #expect(call.a.log.count { $0 == .ready(TestPhone.call) } == 1, "the voice does not wait for it")
            #expect(call.a.shownKeys == 2 && call.b.shownKeys == 2)
        }

        /// As after an answer with `a=connection:new`: the active end begins, and the other needs no notice.
        @Test(arguments: [true, false])
        func newAssociationBringsNewKeys(isBegunByA: Bool) throws {
            let call = try TestCall(handshakeBegunByA: isBegunByA)
            #expect(call.connect() && call.isUp())
            let (active, plan) = isBegunByA ? (call.a, call.planA) : (call.b, call.planB)
            for number: UInt32 in 1...2 {
                active.perform(.update(TestPhone.call, plan.renewed(number)))
                #expect(call.a.waitForKeys(Int(number) + 1) && call.b.waitForKeys(Int(number) + 1))
            }
            #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
            #expect(try #require(call.reversed.carry(seconds: 1)).correlation > 0.8)
            for phone in [call.a, call.b] { #expect(phone.log.count { $0 == .ready(TestPhone.call) } == 1) }
        }

        /// A far end that lost everything, at the same address with the same certificate, as a restarted server.
        @Test
        func restartedFarEndIsHeard() throws {
            let identity = try DTLSIdentity.make()
            let call = try TestCall(handshakeBegunByA: true, by: identity)
            #expect(call.connect() && call.isUp())
            let port = call.a.port
            call.a.media.close()
            let again = try TestPhone(identity: identity) { $0.ports = port...(port + 1) }
            #expect(again.open() && again.port == port)
            let second = TestCall(again, call.b, call.planA, call.planB)
            #expect(again.connect(call.planA))
            #expect(call.b.waitForKeys(2))
            #expect(try #require(second.carry(seconds: 1)).correlation > 0.8)
        }

        /// Both begin, and neither answers: each believes to be the active end.
        @Test
        func unansweredHandshakeKeepsKeys() throws {
            let call = try TestCall(handshakeBegunByA: true)
            #expect(call.connect() && call.isUp())
            call.a.perform(.update(TestPhone.call, call.planA.renewed(1)))
            call.b.perform(.update(TestPhone.call, call.planB.turned(to: true)))
            listen(milliseconds: 300)
            #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
            #expect(try #require(call.reversed.carry(seconds: 1)).correlation > 0.8)
            #expect(call.a.shownKeys == 1 && call.b.shownKeys == 1)
        }

        /// The call changes from SDES keys to those of a handshake, as after its upgrade.
        @Test
        func callMayMoveFromSDESToDTLS() throws {
            let call = try TestCall(handshakeBegunByA: true)
            let keys = NegotiatedMedia.MasterKeys(
                suite: .gcm128, sendKey: SecretBytes([UInt8](repeating: 3, count: 28)),
                receiveKey: SecretBytes([UInt8](repeating: 3, count: 28)))
            var (first, second) = (call.planA, call.planB)
            (first.protection, second.protection) = (.sdes(keys), .sdes(keys))
            call.a.perform(.connect(TestPhone.call, first), .activate(TestPhone.call))
            call.b.perform(.connect(TestPhone.call, second), .activate(TestPhone.call))
            #expect(call.isUp())
            call.a.perform(.update(TestPhone.call, call.planA))
            call.b.perform(.update(TestPhone.call, call.planB))
            #expect(try #require(call.carry(seconds: 1)).correlation > 0.8)
        }

        /// Reports on a separate port have a separate handshake there. The last report is a goodbye.
        @Test(arguments: [true, false], [true, false])
        func reportsAreEncryptedOnEitherPort(sharesPort: Bool, isBegunByA: Bool) throws {
            var call = try TestCall(handshakeBegunByA: isBegunByA)
            if !sharesPort { call = call.withControlPorts(call.a.port + 1, call.b.port + 1) }
            #expect(call.connect() && call.isUp())
            listen(milliseconds: 500)
            call.a.perform(.release(TestPhone.call))
            listen(milliseconds: 200)
            #expect(call.a.media.statistics.reportsSent > 0 && call.b.media.statistics.reportsReceived > 0)
            for phone in [call.a, call.b] {
                #expect(phone.shownKeys == 1, "the words are the voice's")
            }
        }

        /// The far end has two ports, and a handshake on one alone.
        @Test
        func callWorksWithoutReports() throws {
            let call = try TestCall(handshakeBegunByA: true)
            let nobody = try DeskPhone()
            let lonely = call.withControlPorts(nil, nobody.port)
            #expect(lonely.connect() && lonely.isUp())
            call.a.perform(.release(TestPhone.call))
            listen(milliseconds: 200)
            #expect(call.a.media.statistics.reportsSent == 0)
            let received = nobody.received()
            #expect(!received.isEmpty && received.allSatisfy { (20...63).contains($0[0]) }, "flights alone")
        }

        /// Another association of the voice means another one of its reports, too.
        @Test
        func reportsGetNewKeysWithVoice() throws {
            var call = try TestCall(handshakeBegunByA: true)
            call = call.withControlPorts(call.a.port + 1, call.b.port + 1)
            #expect(call.connect() && call.isUp())
            call.a.perform(.update(TestPhone.call, call.planA.renewed(1)))
            #expect(call.b.waitForKeys(2))
            listen(milliseconds: 500)
            let before = call.b.media.statistics.reportsReceived
            call.a.perform(.release(TestPhone.call))
            listen(milliseconds: 200)
            #expect(call.b.media.statistics.reportsReceived > before)
        }

        @Test
        func missingCertificateIsReported() throws {
            let (phone, peer) = (try TestPhone(), try DeskPhone())
            #expect(phone.open())
            var plan = peer.plan
            plan.protection = .dtls(.init(isActive: true, fingerprints: [Array(repeating: 9, count: 32)]))
            phone.perform(.connect(TestPhone.call, plan))
            let told = phone.log.wait(for: Self.failure)
            #expect(told == "cannot use the negotiated media: this phone has no certificate for a handshake")
        }
    }
}

extension NegotiatedMedia {
    /// The same terms with another association.
    fileprivate func renewed(_ number: UInt32) -> NegotiatedMedia {
        var plan = self
        plan.protection = dtls.map {
            .dtls(.init(isActive: $0.isActive, fingerprints: $0.fingerprints, number: number))
        }
        return plan
    }

    /// The same terms in the other role.
    fileprivate func turned(to isActive: Bool) -> NegotiatedMedia {
        var plan = self
        plan.protection = dtls.map { .dtls(.init(isActive: isActive, fingerprints: $0.fingerprints)) }
        return plan
    }
}

extension TestCall {
    /// Ports for reports. Nil: they share one with the voice.
    fileprivate func withControlPorts(_ portA: UInt16?, _ portB: UInt16?) -> TestCall {
        var (planA, planB) = (planA, planB)
        planA.remoteControl = portB.map { MediaAddress(host: "127.0.0.1", port: $0) }
        planB.remoteControl = portA.map { MediaAddress(host: "127.0.0.1", port: $0) }
        return TestCall(a, b, planA, planB)
    }
}
