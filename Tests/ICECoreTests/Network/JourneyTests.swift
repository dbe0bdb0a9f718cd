import Base
import ICECore
import Testing

@Suite("Calls on bad networks")
struct JourneyTests {
    private static let seeds: Range<UInt64> = 0..<20

    private func connected(
        _ caller: Access, _ callee: Access, seed: UInt64, _ change: (inout ICEAgent.Configuration) -> Void = { _ in }
    ) -> World {
        var world = World(seed: seed, weather: NATTests.weather(seed))
        world.addPhone(caller, role: .controlling, change)
        world.addPhone(callee, role: .controlled, change)
        world.call()
        world.runUntilAgreed()
        return world
    }

    @Test("behind one NAT they talk inside it, with or without hairpinning", arguments: [true, false])
    func behindOneNATTheyTalkInsideItWithOrWithoutHairpinning(isHairpinning: Bool) {
        for seed in Self.seeds {
            var world = World(seed: seed, weather: NATTests.weather(seed))
            var nat = NATBehaviour.portRestricted
            nat.isHairpinning = isHairpinning
            let realm = world.realm(behind: Access(description: "home", nats: [nat]))
            world.addPhone(.open, realm: realm, role: .controlling)
            world.addPhone(.open, realm: realm, role: .controlled)
            world.call()
            world.runUntilAgreed()
            #expect(world.phones.allSatisfy { $0.path?.localKind == .host && $0.path?.remoteKind == .host }, "\(seed)")
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("behind two NATs of one provider they need its hairpinning or a server", arguments: [true, false])
    func behindTwoNATsOfOneProviderTheyNeedItsHairpinningOrServer(isHairpinning: Bool) {
        for seed in Self.seeds {
            var world = World(seed: seed, weather: NATTests.weather(seed))
            var provider = NATBehaviour.portRestricted
            provider.isHairpinning = isHairpinning
            let carrier = world.realm(behind: Access(description: "provider", nats: [provider]))
            for role in [ICERole.controlling, .controlled] {
                let realm = world.realm(behind: .portRestricted, in: carrier)
                world.addPhone(.open, realm: realm, role: role)
            }
            world.call()
            world.runUntilAgreed()
            #expect(world.phones.allSatisfy { $0.path?.isRelayed == !isHairpinning }, "seed \(seed)")
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("the relay policy uses a server even without need", arguments: [Access.open, .portRestricted])
    func relayPolicyUsesServerEvenWithoutNeed(_ access: Access) {
        for seed in Self.seeds {
            let world = connected(access, access, seed: seed) { $0.policy = .relay }
            #expect(world.phones.allSatisfy { $0.path?.localKind == .relayed && $0.path?.remoteKind == .relayed })
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("equal roles are resolved", arguments: [ICERole.controlling, .controlled])
    func equalRolesAreResolved(_ role: ICERole) {
        for seed in Self.seeds {
            var world = World(seed: seed, weather: NATTests.weather(seed))
            world.addPhone(.portRestricted, role: role)
            world.addPhone(.fullCone, role: role)
            world.call()
            let agree = world.runUntilAgreed()
            #expect(agree && world.phones[0].agent.role != world.phones[1].agent.role, "seed \(seed)")
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test(
        "a path survives ten minutes of silence through NATs that forget after thirty seconds",
        arguments: [
            Access.portRestricted, .symmetric, .noUDP,
        ])
    func longSilence(_ access: Access) {
        var short = access.nats[0]
        short.lifetime = .seconds(30)
        let forgetful = Access(description: "forgetful", nats: [short])
        for seed in Self.seeds {
            var world = connected(forgetful, forgetful, seed: seed)
            world.run(for: .seconds(600))
            #expect(world.phones.allSatisfy { $0.state == .completed }, "seed \(seed)")
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("a call that rings for three minutes finds its path when answered")
    func callThatRingsForThreeMinutesFindsItsPathWhenAnswered() {
        var short = NATBehaviour.portRestricted
        short.lifetime = .seconds(30)
        let forgetful = Access(description: "forgetful", nats: [short])
        for seed in Self.seeds {
            var world = World(seed: seed, weather: NATTests.weather(seed))
            world.addPhone(forgetful, role: .controlling)
            world.addPhone(forgetful, role: .controlled)
            // The caller has its candidates from the start; the far end gathers when it answers.
            world.phones[0].isHoldingDescription = true
            world.handle(.gather(world.phones[0].sockets), 0)
            world.run(for: .seconds(180))
            world.phones[0].isHoldingDescription = false
            world.phones[0].isOfferer = true
            world.offerIfReady(0)
            world.runUntilAgreed()
            #expect(world.phones.allSatisfy { $0.path?.isRelayed == false }, "seed \(seed)")
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test(
        "with a new address voice returns within a second and a half, and the call stays",
        arguments: [
            (Access.portRestricted, Access.fullCone), (.symmetric, .portRestricted), (.open, .noUDP),
            (.noUDP, .restricted),
            (.double, .symmetric),
        ])
    func withNewAddressVoiceReturnsWithinSecondAndHalfAndCallStays(_ before: Access, _ after: Access) {
        var times: [Double] = []
        for seed in Self.seeds {
            var world = connected(before, .portRestricted, seed: seed)
            world.run(for: .seconds(5))
            let moved = world.now
            world.move(0, to: after)
            world.run(for: .seconds(10)) { world in
                world.phones.allSatisfy { $0.firstPathAt != nil } && world.now > moved
            }
            let last = world.phones.compactMap(\.firstPathAt).max() ?? .zero
            times.append((last - moved).milliseconds)
            world.run(for: .seconds(40)) { $0.phones.allSatisfy { $0.path?.isNominated == true && $0.agreedAt != nil } }
            #expect(world.phones.allSatisfy { $0.state == .completed }, "seed \(seed), \(world.internet.weather)")
            #expect(
                world.phones[0].path?.isRelayed == !after.reachesDirectly(.portRestricted),
                "seed \(seed), \(world.internet.weather)")
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
        let sorted = times.sorted()
        #expect(sorted[sorted.count / 2] < 1_500, "\(sorted)")
    }

    @Test("during a restart voice uses the old path without a gap")
    func duringRestartVoiceUsesOldPathWithoutGap() {
        for seed in Self.seeds {
            var world = connected(.portRestricted, .restricted, seed: seed)
            let old = world.phones.map { $0.agent.localCredentials }
            world.restart(0)
            for _ in 0..<50 {
                world.run(for: .milliseconds(100))
                #expect(world.phones.allSatisfy { $0.path != nil } && world.exchangesVoice(), "seed \(seed)")
            }
            #expect(world.phones.allSatisfy { $0.states.suffix(2) == [.connected, .completed] }, "seed \(seed)")
            let new = world.phones.map { $0.agent.localCredentials }
            #expect(old[0] != new[0] && old[1] != new[1], "seed \(seed)")
        }
    }

    @Test("a vanished far end loses consent and returns by a restart")
    func vanishedFarEndLosesConsentAndReturnsByRestart() {
        for seed in Self.seeds {
            var world = connected(.portRestricted, .portRestricted, seed: seed)
            let socket = world.phones[1].sockets[0]
            world.internet.detach(socket.address.address, in: world.phones[1].realm)
            world.run(for: .seconds(40))
            #expect(world.phones.allSatisfy { $0.state == .disconnected && $0.path == nil }, "seed \(seed)")
            world.internet.attach(1, socket.address.address, in: world.phones[1].realm)
            world.restart(0)
            world.runUntilAgreed()
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("a relay that the first path did not need is there after the far end's restart")
    func relayThatFirstPathDidNotNeedIsThereAfterFarEndRestart() {
        for seed in Self.seeds {
            var world = World(seed: seed, weather: NATTests.weather(seed))
            world.addPhone(.open, role: .controlling) { $0.turnServers = [] }
            world.addPhone(.portRestricted, role: .controlled)
            world.call()
            world.runUntilAgreed()
            world.run(for: .seconds(10))
            #expect(world.server.allocations.isEmpty && world.phones.allSatisfy { $0.path?.isRelayed == false })
            world.move(0, to: .symmetric)
            world.runUntilAgreed()
            #expect(world.phones.allSatisfy { $0.path?.isRelayed == true }, "seed \(seed), \(world.internet.weather)")
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("when the first of two addresses is lost, the second one's relay is still usable")
    func whenFirstOfTwoAddressesIsLostSecondOneRelayIsStillUsable() {
        for seed in Self.seeds {
            var world = World(seed: seed, weather: NATTests.weather(seed))
            world.addPhone(.open, role: .controlling) { $0.policy = .relay }
            world.addPhone(.open, role: .controlled)
            let second = world.makeSocket(of: 0, in: world.phones[0].realm, isFirewalled: false)
            world.phones[0].sockets.append(second)
            world.call()
            world.runUntilAgreed()
            let first = world.phones[0].sockets.removeFirst()
            world.internet.detach(first.address.address, in: world.phones[0].realm)
            world.restart(0)
            world.runUntilAgreed()
            #expect(world.phones[0].path?.localKind == .relayed, "seed \(seed), \(world.internet.weather)")
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("a restarted TURN server is detected, and an ICE restart finds another path through it")
    func restartedTURNServerIsDetected() {
        for seed in Self.seeds {
            var world = connected(.symmetric, .symmetric, seed: seed)
            world.talk(for: .seconds(5))
            #expect(world.phones.allSatisfy { $0.advisedAt.isEmpty }, "seed \(seed)")
            world.server = STUNTURNServer(world.server.address, seed: seed + 1_000)
            let began = world.now
            world.talk(for: .seconds(10)) { $0.phones.contains { !$0.advisedAt.isEmpty } }
            #expect(world.now - began < .seconds(4), "seed \(seed): \(world.now - began)")
            let noticed = world.phones.firstIndex { !$0.advisedAt.isEmpty }
            guard let noticed else { continue }
            #expect(world.phones[noticed].relayEnds.contains(.mismatch), "seed \(seed)")
            world.restart(noticed)
            world.runUntilAgreed()
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("a TURN server restarted before agreement is handled as well")
    func turnServerRestartedBeforeAgreementIsHandledAsWell() {
        for seed in Self.seeds {
            var world = World(seed: seed)
            world.addPhone(.symmetric, role: .controlling) { $0.policy = .relay }
            world.addPhone(.symmetric, role: .controlled)
            world.call()
            world.run(for: .seconds(10)) { $0.phones.allSatisfy { $0.path != nil } }
            #expect(world.phones.allSatisfy { $0.path?.isNominated == false }, "seed \(seed)")
            world.server = STUNTURNServer(world.server.address, seed: seed + 1_000)
            world.talk(for: .seconds(10)) { !$0.phones[0].advisedAt.isEmpty }
            #expect(!world.phones[0].advisedAt.isEmpty, "seed \(seed)")
            world.restart(0)
            world.runUntilAgreed()
            #expect(world.exchangesVoice(), "seed \(seed)")
        }
    }

    @Test("unneeded allocations are released, and all of them at the end")
    func unneededAllocationsAreReleasedAndAllOfThemAtEnd() {
        for seed in Self.seeds {
            var world = connected(.portRestricted, .portRestricted, seed: seed)
            world.run(for: .seconds(10))
            #expect(world.server.allocations.isEmpty, "seed \(seed)")
            var relayed = connected(.symmetric, .symmetric, seed: seed)
            relayed.run(for: .seconds(10))
            #expect((1...2).contains(relayed.server.allocations.count), "seed \(seed)")
            for phone in relayed.phones.indices { relayed.handle(.close, phone) }
            relayed.run(for: .seconds(60))
            #expect(relayed.phones.allSatisfy { $0.isClosed && $0.state == .closed && $0.agent.deadline == nil })
            #expect(relayed.server.allocations.isEmpty, "seed \(seed)")
        }
    }

    @Test("without servers two open phones talk, and two behind NATs learn that there is no path")
    func withoutServersTwoOpenPhonesTalk() {
        let world = connected(.open, .open, seed: 4) { ($0.stunServers, $0.turnServers) = ([], []) }
        #expect(world.exchangesVoice())
        var hopeless = connected(.symmetric, .symmetric, seed: 4) { ($0.stunServers, $0.turnServers) = ([], []) }
        hopeless.run(for: .seconds(60))
        #expect(hopeless.phones.allSatisfy { $0.state == .failed })
    }
}
