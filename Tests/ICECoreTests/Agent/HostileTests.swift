import Base
import ICECore
import Testing

@Suite("An ICE agent with hostile input")
struct HostileTests {
    @Test("an unauthenticated message is not answered and changes nothing")
    func unauthenticatedMessageIsNotAnsweredAndChangesNothing() {
        let wrong = STUNKey(password: Redacted("not the agent's password"))
        var duel = Duel()
        duel.describe([])
        let fragment = duel.agent.localCredentials.userFragment
        var bare = STUNMessage(.request, id: .init(using: &duel.generator))
        bare.attributes = [.init(AttributeType.username, fragment + ":them"), .init(AttributeType.useCandidate, [])]
        let strangers = [
            duel.check(key: wrong), duel.check(isNominating: true, key: wrong), duel.check(name: fragment),
            duel.check(name: "xxxx:them"), duel.check(name: fragment + ":they"), duel.check(name: ""), bare.bytes,
        ]
        for bytes in strangers { duel.deliver(bytes, from: World.endpoint("192.168.1.66", 6_000)) }
        duel.run(for: .seconds(5))
        #expect(duel.takeAnswers().isEmpty && duel.takeRequests().isEmpty)
        #expect(duel.agent.census.unproven == strangers.count)
    }

    /// To verify a check costs more than to send one.
    @Test("only some of a flood of invalid checks are verified, and known peers are still heard")
    func onlySomeOfFloodOfInvalidChecksAreVerified() {
        let wrong = STUNKey(password: Redacted("not the agent's password"))
        let (friend, other) = (World.endpoint("192.168.1.7", 6_000), World.endpoint("192.168.1.8", 6_000))
        var duel = Duel()
        duel.describe([])
        duel.deliver(duel.check(), from: friend)
        #expect(duel.takeAnswers().count == 1)
        for port in 0..<1_000 {
            duel.deliver(duel.check(key: wrong), from: World.endpoint("192.168.1.66", UInt16(10_000 + port)))
        }
        duel.deliver(duel.check(), from: other)
        #expect(duel.takeAnswers().isEmpty, "it is not verified now, and comes again")
        duel.deliver(duel.check(), from: friend)
        #expect(duel.takeAnswers().count == 1)
        duel.run(for: .seconds(1))
        _ = duel.takeAnswers()
        duel.deliver(duel.check(), from: other)
        #expect(duel.takeAnswers().count == 1)
    }

    @Test("an unusable authenticated check gets an error with its fault")
    func unusableAuthenticatedCheckGetsErrorWithItsFault() {
        var duel = Duel()
        duel.describe([])
        duel.deliver(duel.check(priority: nil))
        duel.deliver(duel.check(more: [.init(0x0777, [1])]))
        let answers = duel.takeAnswers()
        #expect(answers.map(\.message.errorCode) == [400, 420])
        #expect(answers.last?.message.value(AttributeType.unknownAttributes) == [0x07, 0x77])
        #expect(duel.takeRequests().isEmpty)
    }

    @Test("a response exceeds its request by at most a mapped address")
    func responseExceedsItsRequestByAtMostMappedAddress() {
        var duel = Duel()
        duel.describe([])
        let check = duel.check()
        duel.deliver(check)
        for answer in duel.takeAnswers() { #expect(answer.message.bytes.count <= check.count) }
    }

    @Test("media from an unchecked address is neither sent there nor heard")
    func mediaFromUncheckedAddressIsNeitherSentThereNorHeard() {
        var duel = Duel(role: .controlling)
        duel.describe()
        duel.answerAll(for: .seconds(1))
        let thief = World.endpoint("192.168.1.66", 5_000)
        duel.deliver([0x80, 1, 2], from: thief)
        duel.deliver([0x80, 3])
        #expect(duel.effects.contains(.received([0x80, 3])) && !duel.effects.contains(.received([0x80, 1, 2])))
        #expect(duel.agent.census.strayPackets == 1)
        // A peer that overheard a check of the far end sends it again from elsewhere: the path stays.
        duel.deliver(duel.check(isNominating: true, role: (AttributeType.iceControlled, 1)), from: thief)
        duel.deliver([0x80, 4], from: thief)
        #expect(duel.path?.remote == Duel.peer && !duel.effects.contains(.received([0x80, 4])))
    }

    @Test("media from an authenticated source is heard before its path is known")
    func mediaFromAuthenticatedSourceIsHeardBeforeItsPathIsKnown() {
        var duel = Duel()
        duel.describe()
        duel.deliver([22, 1])
        duel.deliver(duel.check())
        duel.deliver([22, 2])
        #expect(duel.effects.contains(.received([22, 2])) && !duel.effects.contains(.received([22, 1])))
    }

    @Test("of a thousand remote addresses a hundred become pairs, one checked every 50 ms")
    func ofThousandRemoteAddressesHundredBecomePairs() {
        let sockets = (1...4).map { HostSocket(SocketID(rawValue: $0), World.endpoint("192.168.1.\($0)", 4_000)) }
        var duel = Duel(role: .controlling, sockets: sockets)
        duel.describe((0..<1_000).map { World.endpoint("192.168.\(2 + $0 / 250).\(1 + $0 % 250)", 5_000) })
        duel.run(for: .seconds(3))
        let checks = Set(duel.takeRequests().map(\.message.id))
        #expect(duel.agent.census.unusableCandidates == 936 && duel.agent.census.discardedPairs == 156)
        #expect((50...61).contains(checks.count))
        duel.run(for: .seconds(120))
        #expect(duel.takeRequests().count <= 1_400)
    }

    @Test("checks from many sources trigger only a bounded number of checks")
    func checksFromManySourcesTriggerOnlyBoundedNumberOfChecks() {
        var duel = Duel()
        duel.describe([])
        for number in 0..<2_000 {
            duel.deliver(duel.check(), from: World.endpoint("192.168.1.9", 10_000 + UInt16(number)))
        }
        #expect(duel.takeAnswers().count == 2_000)
        duel.run(for: .seconds(60))
        #expect(Set(duel.takeRequests().map(\.to)).count == 64)
    }

    @Test(
        "addresses that belong to no host are not checked",
        arguments: [
            "0.0.0.0", "224.0.0.1", "255.255.255.255", "ff02::1", "::", "::ffff:10.0.0.1", "::10.0.0.1", "127.0.0.1",
        ])
    func addressesThatBelongToNoHostAreNotChecked(_ host: String) {
        let sockets = [Duel.socket, HostSocket(SocketID(rawValue: 2), World.endpoint("2001:db8::2", 4_000))]
        var duel = Duel(role: .controlling, sockets: sockets)
        duel.describe([World.endpoint(host, 5_000), World.endpoint("192.168.1.3", 0)])
        duel.run(for: .seconds(1))
        #expect(duel.takeRequests().isEmpty)
    }

    @Test("names are resolved once, up to a limit, and then used")
    func namesAreResolvedOnceUpToLimitAndThenUsed() throws {
        var duel = Duel(role: .controlling)
        duel.describe([])
        for number in 0..<20 {
            for port in 1...2 {
                duel.post(
                    .remoteCandidate(try RemoteCandidate("\(port) 1 UDP 77 host\(number).local \(port) typ host")))
            }
        }
        #expect(duel.effects.count(where: { if case .resolve = $0 { true } else { false } }) == 8)
        #expect(duel.agent.census.unresolvedNames == 40 && duel.takeRequests().isEmpty)
        duel.post(.resolved("host3.local", [Duel.peer.address]))
        duel.post(.resolved("host4.local", []))
        duel.post(.resolved("unasked.local", [Duel.peer.address]))
        duel.run(for: .seconds(1))
        #expect(Set(duel.takeRequests().map(\.to.port)) == [1, 2])
    }

    @Test("the relay policy shows no local address and sends nothing to the far end from one")
    func relayPolicy() {
        var configuration = ICEAgent.Configuration(policy: .relay, stunServers: [TURNGround.server])
        configuration.turnServers = [TURNServer(TURNGround.server, .udp, STUNTURNServer.credentials)]
        var duel = Duel(role: .controlling, configuration: configuration)
        duel.describe()
        duel.deliver(duel.check())
        duel.run(for: .seconds(10))
        #expect(duel.agent.localCandidates.isEmpty)
        let destinations = Set(duel.takeRequests().map(\.to))
        #expect(destinations == [TURNGround.server])
    }

    @Test("counters survive restarts and the end")
    func countersSurviveRestartsAndEnd() {
        var duel = Duel(role: .controlling)
        duel.describe()
        duel.answerAll(for: .seconds(1))
        for round in 1...4 {
            duel.deliver(duel.check(key: STUNKey(password: Redacted("wrong"))))
            duel.post(.restart([Duel.socket]))
            duel.describe(credentials: Duel.theirs)
            #expect(duel.agent.census.unproven == round)
            duel.answerAll(for: .seconds(5))
            #expect(duel.agent.census.unproven == round && duel.state == .completed)
        }
        duel.post(.close)
        #expect(duel.agent.census.unproven == 4)
    }

    @Test("no password of either end is printed")
    func noPasswordOfEitherEndIsPrinted() {
        var duel = Duel(role: .controlling)
        duel.describe()
        duel.answerAll(for: .seconds(1))
        var dumped = "\(duel.agent)" + String(reflecting: duel.agent) + "\(duel.effects)"
        dump(duel.agent, to: &dumped)
        for credentials in [duel.agent.localCredentials, Duel.theirs] {
            #expect(!dumped.contains(credentials.password.reveal()))
        }
    }

    @Test("every event in every state ends, for any bytes")
    func everyEventInEveryStateEndsForAnyBytes() throws {
        var generator = SeededGenerator(seed: 21)
        for seed in 0..<200 {
            var duel = Duel(role: seed.isMultiple(of: 2) ? .controlling : .controlled, seed: UInt64(seed))
            let other = HostSocket(SocketID(rawValue: 2), World.endpoint("192.168.7.7", 4_000))
            for _ in 0..<60 {
                switch Int.random(in: 0..<16, using: &generator) {
                case 0: duel.post(.restart([Duel.socket, other]))
                case 1: duel.post(.socketLost(Bool.random(using: &generator) ? Duel.socket.id : other.id))
                case 2:
                    duel.describe(credentials: Duel.credentials("them", "pq".randomElement(using: &generator) ?? "p"))
                case 3: duel.post(.endOfRemoteCandidates)
                case 4: duel.post(.gather([other]))
                case 5: duel.post(.send([0x80]))
                case 6: if Int.random(in: 0..<20, using: &generator) == 0 { duel.post(.close) }
                case 7:
                    var bytes = duel.check(isNominating: true)
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 4
                    duel.deliver(bytes)
                case 8: duel.deliver(duel.check(isNominating: Bool.random(using: &generator)))
                case 9...13:
                    for request in duel.takeRequests() {
                        var bytes = duel.answer(
                            request.message, code: [nil, nil, 487, 400].randomElement(using: &generator) ?? nil)
                        if Int.random(in: 0..<5, using: &generator) == 0 { bytes[9] ^= 1 }
                        duel.deliver(bytes, from: request.to)
                    }
                default: duel.run(for: .milliseconds(.random(in: 0...9_000, using: &generator)))
                }
                // A deadline that has passed is carried out, and does not come again.
                duel.run(for: .zero)
                #expect(duel.agent.deadline.map { $0 > duel.now } ?? true, "seed \(seed)")
            }
        }
    }
}
