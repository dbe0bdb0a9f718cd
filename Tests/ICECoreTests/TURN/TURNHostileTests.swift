import Base
import ICECore
import Testing

@Suite("A TURN client with hostile input")
struct TURNHostileTests {
    @Test("data of a peer without permission, or in an unbound channel, is dropped")
    func dataOfPeerWithoutPermissionOrInUnboundChannelIsDropped() {
        var ground = TURNGround()
        ground.post(.start)
        var generator = SeededGenerator(seed: 2)
        var data = STUNMessage(.indication, id: .init(using: &generator), method: TURNMethod.data)
        data.attributes = [
            data.attribute(AttributeType.xorPeerAddress, TURNGround.peer), .init(AttributeType.data, [1]),
        ]
        ground.post(.received(data.bytes))
        ground.post(.received(ChannelData(channel: 0x4000, data: [1]).bytes(isPadded: false)))
        ground.post(.received([0x40, 0, 0, 9, 1]))
        #expect(ground.effects.count == 1 && ground.turn.dropped == 3)
    }

    @Test("after authentication an unauthenticated response changes nothing")
    func afterAuthenticationUnauthenticatedResponseChangesNothing() throws {
        var ground = TURNGround()
        ground.post(.start)
        ground.isConnected = false
        var asked: [STUNMessage] = []
        for effect in ground.turn.handle(.bind(TURNGround.peer), at: ground.now) {
            if case .transmit(let bytes) = effect { asked.append(try STUNMessage(bytes.span)) }
        }
        let request = try #require(asked.first)
        let forged = [
            STUNMessage(.success, id: request.id, method: request.method),
            STUNMessage(.failure, id: request.id, attributes: [.error(437, "")], method: request.method),
            STUNMessage(.success, id: request.id, method: TURNMethod.allocate),
        ]
        for answer in forged { ground.post(.received(answer.bytes)) }
        #expect(ground.end == nil && ground.turn.dropped == 3)
        #expect(!ground.effects.contains(.bound(TURNGround.peer, channel: 0x4000)))
    }

    @Test("an unusable grant is rejected")
    func unusableGrantIsRejected() {
        var ground = TURNGround()
        ground.server.grantedLifetime = 0
        ground.post(.start)
        #expect(ground.end == .malformed)
    }

    @Test("a server that challenges forever is abandoned")
    func serverThatChallengesForeverIsAbandoned() {
        var ground = TURNGround()
        ground.server.nonceLife = -1
        ground.post(.start)
        #expect(ground.end == .unauthorized && ground.transmissions < 6)
    }

    @Test("every event in every state ends, for any bytes")
    func everyEventInEveryStateEndsForAnyBytes() throws {
        var generator = SeededGenerator(seed: 11)
        for seed in 0..<300 {
            var ground = TURNGround(isReliable: seed.isMultiple(of: 2))
            var last: [UInt8] = [0, 1]
            for _ in 0..<40 {
                let peer = TransportAddress(TURNGround.peer.address, .random(in: 0...3, using: &generator))
                let events: [TURNClient.Event] = [
                    .start, .permit(peer.address), .bind(peer), .send(last, to: peer), .close, .transportLost,
                    .deadline, .received(last), .received([]), .start, .start, .bind(peer), .send(last, to: peer),
                ]
                let event = events.randomElement(using: &generator) ?? .start
                for effect in ground.turn.handle(event, at: ground.now) {
                    guard case .transmit(let bytes) = effect else { continue }
                    let outputs = ground.server.received(
                        bytes, from: .datagram(TURNGround.client), seenAs: TURNGround.client, at: ground.now)
                    for case .reply(_, var answer) in outputs {
                        let place = Int.random(in: 0..<answer.count, using: &generator)
                        if Bool.random(using: &generator) { answer[place] ^= 1 << (place & 7) }
                        last = answer
                        ground.post(.received(answer))
                    }
                }
                ground.run(for: .milliseconds(.random(in: 0...90_000, using: &generator)))
                if ground.turn.isEnded { #expect(ground.turn.deadline == nil) }
            }
            #expect(ground.effects.count(where: { if case .ended = $0 { true } else { false } }) <= 1)
        }
    }
}

@Suite("Messages in a stream from a TURN server")
struct TURNFramingTests {
    @Test("messages are found however the stream is split")
    func messagesAreFoundHoweverStreamIsSplit() throws {
        var generator = SeededGenerator(seed: 4)
        var (stream, messages): ([UInt8], [[UInt8]]) = ([], [])
        for count in 0..<40 {
            if count.isMultiple(of: 2) {
                let packet = ChannelData(channel: 0x4001, data: [UInt8](repeating: 7, count: count))
                stream += packet.bytes(isPadded: true)
                messages.append(packet.bytes(isPadded: false))
            } else {
                let message = STUNMessage(.indication, id: .init(using: &generator)).bytes
                stream += message
                messages.append(message)
            }
        }
        for size in [1, 2, 3, 7, 64, 4_096] {
            var framer = TURNStreamFramer()
            var found: [[UInt8]] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                found += try framer.take(Array(stream[start..<min(start + size, stream.count)]))
            }
            #expect(found == messages, "in pieces of \(size)")
        }
    }

    @Test(
        "other or oversized bytes break the stream",
        arguments: [
            [0x80, 0, 0, 0], [0x50, 0, 0, 4], [0x00, 1, 0, 3], [0x40, 0, 0xFF, 0xFF], [0x00, 1, 0xFF, 0xFC],
        ] as [[UInt8]])
    func otherOrOversizedBytesBreakStream(_ bytes: [UInt8]) {
        var framer = TURNStreamFramer()
        #expect(throws: TURNStreamFramer.Broken.self) { try framer.take(bytes) }
    }
}
