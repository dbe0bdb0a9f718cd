import Base
import Cryptography
import ICECore
import Testing

@Suite("Connectivity checks against a scripted far end")
struct ChecksTests {
    @Test("a check has the attributes of RFC 8445 and is paced")
    func checkHasAttributesOfRFC8445AndIsPaced() throws {
        var duel = Duel(role: .controlling)
        let addresses = (1...6).map { World.endpoint("192.168.1.\(100 + $0)", 5_000) }
        duel.describe(addresses)
        #expect(duel.takeRequests().map(\.to) == [addresses[0]])
        duel.run(for: .milliseconds(249))
        #expect(duel.takeRequests().map(\.to) == Array(addresses[1...4]))
        duel.run(for: .milliseconds(1))
        let (check, destination) = try #require(duel.takeRequests().first)
        #expect(destination == addresses[5] && check.hasFingerprint)
        #expect(check.text(AttributeType.username) == "them:" + duel.agent.localCredentials.userFragment)
        #expect(check.number(AttributeType.priority, as: UInt32.self) == UInt32(0x6EFF_FFFF))
        #expect(check.value(AttributeType.iceControlling)?.count == 8 && check.value(AttributeType.useCandidate) == nil)
        #expect(check.proven(by: STUNKey(password: Duel.theirs.password), in: check.bytes, .real) != nil)
    }

    @Test("the controlling end nominates once, and both learn it")
    func controllingEndNominatesOnceAndBothLearnIt() {
        var duel = Duel(role: .controlling)
        duel.describe()
        var nominations = 0
        for _ in 0..<100 {
            for request in duel.takeRequests() {
                if request.message.value(AttributeType.useCandidate) != nil { nominations += 1 }
                duel.deliver(duel.answer(request.message), from: request.to)
            }
            duel.run(for: .milliseconds(10))
        }
        #expect(nominations == 1 && duel.state == .completed && duel.path?.isNominated == true)
        #expect(duel.path?.remote == Duel.peer && duel.path?.route == .socket(Duel.socket.id))
    }

    @Test("a check is answered to its source and triggers one of ours")
    func checkIsAnsweredToItsSourceAndTriggersOneOfOurs() throws {
        var duel = Duel()
        duel.describe([])
        let stranger = World.endpoint("192.168.1.77", 6_000)
        duel.deliver(duel.check(), from: stranger)
        let answer = try #require(duel.takeAnswers().first)
        #expect(answer.to == stranger && answer.message.mappedAddress == stranger)
        let check = try #require(duel.takeRequests().first)
        #expect(check.to == stranger)
        duel.deliver(duel.answer(check.message), from: stranger)
        #expect(duel.path?.remoteKind == .peerReflexive && duel.path?.isNominated == false)
        // Nominated afterwards (regular), at once valid.
        duel.deliver(duel.check(isNominating: true), from: stranger)
        #expect(duel.path?.isNominated == true)
    }

    @Test("aggressive nomination is followed, also to a better pair")
    func aggressiveNominationIsFollowedAlsoToBetterPair() throws {
        var duel = Duel()
        let better = World.endpoint("192.168.1.8", 5_001)
        duel.describe([better, Duel.peer])
        duel.deliver(duel.check(isNominating: true))
        let checks = duel.takeRequests()
        for check in checks where check.to == Duel.peer { duel.deliver(duel.answer(check.message), from: check.to) }
        duel.run(for: .milliseconds(100))
        for check in duel.takeRequests() where check.to == Duel.peer {
            duel.deliver(duel.answer(check.message), from: check.to)
        }
        #expect(duel.path?.remote == Duel.peer && duel.path?.isNominated == true)
        duel.deliver(duel.check(isNominating: true), from: better)
        duel.run(for: .milliseconds(100))
        for check in duel.takeRequests() where check.to == better {
            duel.deliver(duel.answer(check.message), from: better)
        }
        #expect(duel.path?.remote == better)
        // Back to the worse one only once the better one is silent.
        duel.deliver(duel.check(isNominating: true))
        #expect(duel.path?.remote == better)
        duel.run(for: .seconds(9))
        _ = duel.takeRequests()
        duel.deliver(duel.check(isNominating: true))
        duel.run(for: .milliseconds(100))
        for check in duel.takeRequests() where check.to == Duel.peer {
            duel.deliver(duel.answer(check.message), from: check.to)
        }
        #expect(duel.path?.remote == Duel.peer)
    }

    @Test("checks before the description are answered and count")
    func checksBeforeDescriptionAreAnsweredAndCount() {
        var duel = Duel()
        duel.deliver(duel.check(isNominating: true))
        #expect(duel.takeAnswers().count == 1 && duel.takeRequests().isEmpty)
        duel.describe([])
        duel.answerAll(for: .seconds(1))
        #expect(duel.path?.remote == Duel.peer && duel.state == .completed)
    }

    @Test("a lite far end makes us controlling")
    func liteFarEndMakesUsControlling() {
        var duel = Duel(role: .controlled)
        duel.describe(isLite: true)
        duel.answerAll(for: .seconds(1))
        #expect(duel.agent.role == .controlling && duel.state == .completed)
    }

    @Test(
        "between equal roles the greater tie-breaker controls", arguments: [ICERole.controlling, .controlled],
        [true, false])
    func betweenEqualRolesGreaterTieBreakerControls(_ role: ICERole, isTheirsGreater: Bool) throws {
        var duel = Duel(role: role)
        duel.describe()
        let type = role == .controlling ? AttributeType.iceControlling : AttributeType.iceControlled
        duel.deliver(duel.check(role: (type, isTheirsGreater ? .max : 0)))
        let answer = try #require(duel.takeAnswers().first?.message)
        let isOursControlling = !isTheirsGreater
        #expect((duel.agent.role == .controlling) == isOursControlling)
        // An end that keeps its role informs the other.
        #expect(answer.errorCode == ((role == .controlling) == isOursControlling ? 487 : nil))
        #expect(duel.agent.census.roleConflicts == 1)
    }

    @Test("a far end that insists on its role gets it")
    func farEndThatInsistsOnItsRoleGetsIt() throws {
        var duel = Duel(role: .controlling)
        duel.describe()
        let check = try #require(duel.takeRequests().first)
        duel.deliver(duel.answer(check.message, code: 487))
        #expect(duel.agent.role == .controlled)
        duel.run(for: .milliseconds(100))
        let again = try #require(duel.takeRequests().first)
        #expect(again.to == Duel.peer && again.message.value(AttributeType.iceControlled) != nil)
        #expect(
            again.message.value(AttributeType.iceControlled) != check.message.value(AttributeType.iceControlling))
    }

    @Test("a response from another address proves no path")
    func responseFromAnotherAddressProvesNoPath() throws {
        var duel = Duel(role: .controlling)
        duel.describe()
        let check = try #require(duel.takeRequests().first)
        duel.deliver(duel.answer(check.message), from: World.endpoint("192.168.1.66", 5_000))
        #expect(duel.path == nil)
    }

    @Test("an unanswered check is repeated twice a second, then more rarely")
    func unansweredCheckIsRepeatedTwiceSecondThenMoreRarely() {
        var duel = Duel(role: .controlling)
        duel.describe()
        var times: [Double] = []
        while duel.now < .zero + .seconds(39) {
            times += duel.takeRequests().map { _ in duel.now.seconds }
            duel.run(for: .milliseconds(500))
        }
        #expect(times == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 7, 11, 19, 35])
    }

    @Test("failure is declared at its time and not before")
    func failureIsDeclaredAtItsTimeAndNotBefore() {
        var duel = Duel(role: .controlling)
        duel.describe()
        duel.run(for: .seconds(39))
        #expect(duel.state == .checking)
        #expect(duel.takeRequests().count == 14)
        duel.run(for: .seconds(2))
        #expect(duel.state == .failed)
        duel.run(for: .seconds(600))
        #expect(duel.takeRequests().isEmpty)
    }

    @Test("a second answer to the same offer restarts the checks, and the path stays in use")
    func secondAnswerToSameOfferRestartsChecksAndPathStaysInUse() {
        var duel = Duel(role: .controlling)
        duel.describe()
        duel.answerAll(for: .seconds(1))
        let before = duel.agent.localCredentials
        let other = World.endpoint("192.168.1.8", 5_001)
        let theirs = Duel.credentials("fork", "q")
        duel.describe([other], credentials: theirs)
        #expect(duel.agent.localCredentials == before && duel.path?.remote == Duel.peer)
        for _ in 0..<100 {
            for request in duel.takeRequests() {
                let key = STUNKey(password: request.to == other ? theirs.password : Duel.theirs.password)
                duel.deliver(duel.answer(request.message, key: key), from: request.to)
            }
            duel.run(for: .milliseconds(10))
        }
        #expect(duel.path?.remote == other && duel.path?.isNominated == true)
    }

    @Test("an abandoned far end is neither sent to nor heard, though its path works")
    func abandonedFarEndIsNeitherSentToNorHeardThoughItsPathWorks() {
        var duel = Duel(role: .controlling)
        duel.describe()
        duel.answerAll(for: .seconds(1))
        duel.describe([World.endpoint("192.168.1.8", 5_002)], credentials: Duel.credentials("next", "q"))
        #expect(duel.path?.remote == Duel.peer, "a restart keeps it for a while")
        duel.post(.leavePrevious)
        #expect(duel.effects.contains(.path(nil)))
        duel.effects = []
        duel.post(.send([0x80, 1]))
        duel.deliver([0x80, 2])
        #expect(duel.effects.isEmpty)
    }

    @Test("a candidate of another session is too late")
    func candidateOfAnotherSessionIsTooLate() throws {
        var duel = Duel(role: .controlling)
        duel.describe([])
        for fragment in ["gone", "them"] {
            duel.post(.remoteCandidate(try RemoteCandidate("1 1 UDP 7 192.168.1.9 5000 typ host ufrag \(fragment)")))
            #expect(duel.takeRequests().count == (fragment == "them" ? 1 : 0))
        }
        #expect(duel.agent.census.unusableCandidates == 1)
    }

    @Test("a peer-reflexive candidate later has its signalled properties")
    func peerReflexiveCandidateLaterHasItsSignalledProperties() throws {
        var duel = Duel()
        duel.describe([], isComplete: false)
        duel.deliver(duel.check())
        for request in duel.takeRequests() { duel.deliver(duel.answer(request.message), from: request.to) }
        #expect(duel.path?.remoteKind == .peerReflexive)
        duel.post(.remoteCandidate(try RemoteCandidate("1 1 UDP 7 192.168.1.9 5000 typ host")))
        #expect(duel.path?.remoteKind == .host)
    }

    /// A trickling end would wait for the end.
    @Test("after agreement silent servers are not waited for")
    func afterAgreementSilentServersAreNotWaitedFor() {
        let server = World.endpoint("192.0.2.1", 3_478)
        var duel = Duel(role: .controlling, configuration: .init(stunServers: [server]))
        duel.describe()
        for _ in 0..<80 {
            for request in duel.takeRequests() where request.to == Duel.peer {
                duel.deliver(duel.answer(request.message))
            }
            duel.run(for: .milliseconds(100))
        }
        #expect(duel.path?.isNominated == true && duel.agent.isGatheringComplete)
        #expect(duel.effects.count { $0 == .endOfCandidates } == 1)
    }
}
