import Base
import ICECore
import LineCore
import SIPCore
import Testing

@Suite("Keep-alives and dead flows")
struct KeepAliveTests {
    private static let outbound: [(SIPHeaderName, String)] = [(.require, "outbound")]

    private func ground(
        _ transport: Flow.Transport, _ more: [(SIPHeaderName, String)] = [], seed: UInt64 = 1
    ) -> Ground {
        Ground(flows: [Ground.flow(transport)], seed: seed) { request, _ in
            request.method == .options ? nil : Ground.accept(request, more)
        }
    }

    static func stun(_ bytes: [UInt8], sees host: String = "203.0.113.5") -> [UInt8]? {
        guard let address = IPAddress(host), let request = try? STUNMessage(bytes.span) else { return nil }
        return request.answer(to: TransportAddress(address, 5_060))?.bytes
    }

    private static func gaps(_ ground: Ground) -> [Double] {
        zip(ground.keepAlives, ground.keepAlives.dropFirst()).map { ($1.at - $0.at).milliseconds / 1_000 }
    }

    @Test(
        "a stream is kept alive by double CRLF, often if the server answers",
        arguments: [Flow.Transport.tcp, .tls])
    func streamIsKeptAliveByDoubleCRLFOftenIfServerAnswers(transport: Flow.Transport) {
        var ground = ground(transport, Self.outbound)
        ground.pong = { _ in [0x0D, 0x0A] }
        ground.run(.seconds(100))
        #expect(
            ground.keepAlives.allSatisfy { $0.bytes == Array("\r\n\r\n".utf8) && $0.flow == Ground.flow(transport) })
        #expect(Self.gaps(ground).count >= 8 && Self.gaps(ground).allSatisfy { (7.6...9.5).contains($0) })
        #expect(Set(Self.gaps(ground)).count > 4)
        #expect(ground.abandoned.isEmpty && ground.registrations == [.registering, .registered])
    }

    @Test(
        "Flow-Timer is the longest interval",
        arguments: [("6", 4.8...6), ("30", 7.6...9.5), ("1", 4...5)] as [(String, ClosedRange<Double>)])
    func flowTimerIsLongestInterval(_ seconds: String, _ gaps: ClosedRange<Double>) {
        var ground = ground(.tcp, [(.flowTimer, seconds)])
        ground.pong = { _ in [0x0D, 0x0A] }
        ground.run(.seconds(400))
        #expect(Self.gaps(ground).count >= 40 && Self.gaps(ground).allSatisfy { gaps.contains($0) })
    }

    @Test("a flow that stops answering is dead within 20 s and replaced")
    func flowThatStopsAnsweringIsDeadWithin20SAndReplaced() {
        for (transport, answer) in [(Flow.Transport.tcp, [0x0D, 0x0A]), (.tls, [0x0D, 0x0A]), (.udp, nil)]
            as [(Flow.Transport, [UInt8]?)]
        {
            for moment in 0..<20 {
                var ground = ground(transport, seed: UInt64(moment) * 100)
                ground.pong = { answer ?? Self.stun($0) }
                ground.run(.milliseconds(130_000 + 500 * moment))
                let before = ground.sent(.register).count
                #expect(!ground.keepAlives.isEmpty && ground.abandoned.isEmpty)
                ground.pong = { _ in nil }
                ground.run(.seconds(20))
                #expect(ground.abandoned == [Ground.flow(transport)])
                ground.run(.seconds(1))
                #expect(ground.sent(.register).count == before + 1, "\(transport)")
                #expect(ground.registrations.last == .registered)
            }
        }
    }

    @Test("a server that never answered keep-alives nor promised to is kept")
    func serverThatNeverAnsweredKeepAlivesNorPromisedToIsKept() {
        for transport in [Flow.Transport.udp, .tcp] {
            var ground = ground(transport)
            ground.run(.seconds(2_000))
            let usual = transport.isReliable ? 95.0...130 : 19...39
            #expect(Self.gaps(ground).count > 10 && Self.gaps(ground).allSatisfy { usual.contains($0) })
            #expect(ground.abandoned.isEmpty)
        }
    }

    @Test("a server that promised answers and is silent is dropped")
    func serverThatPromisedAnswersAndIsSilentIsDropped() {
        var ground = ground(.udp, Self.outbound)
        ground.run(.seconds(20))
        #expect(ground.abandoned == [Ground.flow()])
        // A request that may have been lost was repeated, at rising intervals.
        #expect(Self.gaps(ground).prefix(4).elementsEqual([0.5, 1, 2, 4]))
    }

    @Test("over UDP STUN is sent, and CRLF every 24 to 29 s if the server answers neither STUN nor OPTIONS")
    func overUDPSTUNIsSent() {
        var ground = ground(.udp)
        ground.pong = { Self.stun($0) }
        ground.run(.seconds(400))
        #expect(Self.gaps(ground).count >= 40 && Self.gaps(ground).allSatisfy { (7.6...9.5).contains($0) })
        #expect(ground.keepAlives.allSatisfy { (try? STUNMessage($0.bytes.span))?.kind == .request })
        var other = self.ground(.udp)
        other.run(.seconds(400))
        #expect(other.keepAlives.dropFirst().allSatisfy { $0.bytes == Array("\r\n\r\n".utf8) })
        #expect(other.keepAlives.count > 10 && Set(other.sent(.options).map(\.request.headers[.callID])).count == 1)
    }

    @Test(
        "a server without STUN gets OPTIONS every 24 to 29 s",
        arguments: [200, 401, 404, 405, 503])
    func serverWithoutSTUNGetsOPTIONSEvery24To29S(status: Int) {
        var ground = Ground(flows: [Ground.flow(.udp)]) { request, _ in
            request.method == .options ? request.response(SIPStatus(status), tag: "server") : Ground.accept(request)
        }
        ground.run(.seconds(400))
        let times = ground.sent(.options).map(\.at)
        let gaps = zip(times, times.dropFirst()).map { ($1 - $0).milliseconds / 1_000 }
        #expect(gaps.count > 10 && gaps.allSatisfy { (24...29).contains($0) })
        #expect(ground.keepAlives.count == 1 && ground.abandoned.isEmpty)
        #expect(ground.registrations == [.registering, .registered])
    }

    @Test("a new NAT mapping is registered")
    func newNATMappingIsRegistered() {
        var ground = ground(.udp)
        ground.pong = { Self.stun($0) }
        ground.run(.seconds(60))
        #expect(ground.sent(.register).count == 1)
        ground.pong = { Self.stun($0, sees: "203.0.113.6") }
        ground.run(.seconds(31))
        #expect(ground.sent(.register).count == 2)
    }

    @Test("an unexpected answer is counted and changes nothing")
    func unexpectedAnswerIsCountedAndChangesNothing() throws {
        var ground = ground(.udp)
        var generator = SeededGenerator(seed: 9)
        let forged = STUNMessage(.success, id: .init(using: &generator))
        ground.tell(.received(forged.bytes, Ground.flow()))
        ground.tell(.received([UInt8](repeating: 0, count: 20), Ground.flow(.udp, 66)))
        #expect(ground.outputs.suffix(2) == [.strayKeepAlive, .strayKeepAlive])
    }

    @Test("an unregistered line sends no keep-alives")
    func unregisteredLineSendsNoKeepAlives() {
        var ground = Ground(Ground.account { $0.registers = false })
        ground.run(.seconds(600))
        #expect(ground.keepAlives.isEmpty)
        var leaving = self.ground(.udp)
        leaving.tell(.command(.shutDown))
        leaving.run(.seconds(600))
        #expect(leaving.keepAlives.isEmpty && leaving.line.deadline == nil)
    }

    // MARK: Keep-alives of other peers

    @Test("a listed peer's STUN is answered at a bounded rate, a stranger's is not")
    func listedPeerSTUNIsAnsweredAtBoundedRateStrangerIsNot() throws {
        let stranger = Ground.flow(.udp, 66)
        var ground = Ground(Calls.direct("alice", accepts: .listed([stranger.remote.host])))
        var generator = SeededGenerator(seed: 4)
        let request = STUNMessage(.request, id: .init(using: &generator))
        for _ in 0..<1_000 { ground.tell(.received(request.bytes, stranger)) }
        let answers = try ground.keepAlives.map { try STUNMessage($0.bytes.span) }
        #expect(answers.count == 20 && ground.outputs.count { $0 == .strayKeepAlive } == 980)
        #expect(answers.first?.mappedAddress?.address.text == stranger.remote.host)
        #expect(answers.first?.mappedAddress?.port == stranger.remote.port && answers.first?.id == request.id)
        ground.run(.seconds(10))
        ground.tell(.received(request.bytes, stranger))
        #expect(ground.keepAlives.count == 21)
        ground.tell(.received(request.bytes, Ground.flow(.udp, 67)))
        #expect(ground.keepAlives.count == 21)
    }

    @Test("hostile bytes at the port are only counted")
    func hostileBytesAtPortAreOnlyCounted() {
        var ground = ground(.udp)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5_000 {
            var bytes = STUNMessage(.request, id: .init(using: &generator)).bytes
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            ground.tell(.received(bytes, Ground.flow(.udp, 66)))
        }
        #expect(ground.keepAlives.count <= 20 && ground.registrations == [.registering, .registered])
    }
}
