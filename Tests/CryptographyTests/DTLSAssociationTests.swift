import Base
import Cryptography
import Testing

/// One far end after another with the same certificate (RFC 6347 §4.2.8).
@Suite("A new DTLS association on the same path")
struct DTLSAssociationTests {
    private typealias End = DTLSSuccession
    private let (one, other, stranger): (DTLSIdentity, DTLSIdentity, DTLSIdentity)

    init() throws {
        (one, other, stranger) = (try DTLSIdentity.make(), try DTLSIdentity.make(), try DTLSIdentity.make())
    }

    /// This end, which expects the certificate of the other one.
    private func end(_ role: DTLSChannel.Role, asksForCookie: Bool = true) throws -> End {
        End(
            try DTLSContext(one), role,
            .init(
                fingerprints: [other.certificate.fingerprint], asksForCookie: asksForCookie,
                firstWait: .milliseconds(40)))
    }

    /// A far end without knowledge of a former association.
    private func far(_ role: DTLSChannel.Role, as identity: DTLSIdentity? = nil) throws -> DTLSEnd {
        DTLSEnd(
            try DTLSContext(identity ?? other), role,
            .init(fingerprints: [one.certificate.fingerprint], firstWait: .milliseconds(40)))
    }

    /// This end with keys, and their other end.
    private func established(_ role: DTLSChannel.Role, asksForCookie: Bool = true) throws -> (end: End, far: DTLSEnd) {
        let (end, far) = (try end(role, asksForCookie: asksForCookie), try far(role == .active ? .passive : .active))
        end.start()
        far.start()
        end.run(with: far)
        try #require(end.keys.count == 1 && end.keys.last?.remote == far.keys?.local)
        return (end, far)
    }

    @Test("a restarted far end gets new keys after a cookie", arguments: [true, false])
    func restartedFarEndGetsNewKeysAfterCookie(asksForCookie: Bool) throws {
        let (end, _) = try established(.passive, asksForCookie: asksForCookie)
        for count in 2...4 {
            let next = try far(.active)
            next.start()
            let hello = try #require(next.take().first)
            end.receive(hello)
            let cookie = end.take()
            #expect(cookie.count == 1 && cookie.joined().count < hello.count, "no certificate before the cookie")
            for datagram in cookie { next.receive(datagram) }
            end.run(with: next)
            #expect(end.keys.count == count && end.keys.last?.remote == next.keys?.local)
        }
        #expect(Set(end.keys.map(\.local.description)).count == 1, "keys are printed nowhere")
        #expect(end.keys[0] != end.keys[1])
    }

    @Test("this end restarts after an agreement, and keeps its keys until then")
    func thisEndRestartsAfterAgreementAndKeepsItsKeysUntilThen() throws {
        let (end, _) = try established(.active)
        end.renew(as: .active)
        #expect(end.keys.count == 1)
        let next = try far(.passive)
        end.run(with: next)
        #expect(end.keys.count == 2 && end.keys.last?.remote == next.keys?.local)
    }

    @Test("the roles may change", arguments: [DTLSChannel.Role.active, .passive])
    func rolesMayChange(first: DTLSChannel.Role) throws {
        let (end, _) = try established(first)
        let second: DTLSChannel.Role = first == .active ? .passive : .active
        end.renew(as: second)
        let next = try far(first)
        next.start()
        end.run(with: next)
        #expect(end.keys.count == 2 && end.keys.last?.remote == next.keys?.local)
    }

    @Test("before the keys, a new association changes nothing, and new roles start at once")
    func beforeKeysNewAssociationChangesNothing() throws {
        let (end, first) = (try end(.active), try far(.passive))
        end.start()
        end.renew(as: .active)
        end.run(with: first)
        #expect(end.keys.count == 1 && end.keys.last?.remote == first.keys?.local)
        let (turned, second) = (try self.end(.passive), try far(.passive))
        turned.start()
        turned.renew(as: .active)
        turned.run(with: second)
        #expect(turned.keys.count == 1)
    }

    /// The far end's first flight overtakes its answer, which has the agreement.
    @Test("a handshake that started before its agreement continues")
    func handshakeThatStartedBeforeItsAgreementContinues() throws {
        let (end, _) = try established(.passive)
        let next = try far(.active)
        next.start()
        for _ in 0..<2 {
            for datagram in next.take() { end.receive(datagram) }
            for datagram in end.take() { next.receive(datagram) }
        }
        end.renew(as: .passive)
        end.run(with: next)
        #expect(end.keys.count == 2 && end.keys.last?.remote == next.keys?.local)
    }

    /// Asterisk begins with each of its answers, so a quick hold and resume agree on two associations. The second
    /// agreement, or the end of the first handshake, comes between the cookie and its return.
    @Test("a cookie counts after another agreement, and after another handshake", arguments: [true, false])
    func cookieOutlivesItsHandshake(isAgreement: Bool) throws {
        let (end, _) = try established(.passive)
        let next = try far(.active)
        next.start()
        for datagram in next.take() { end.receive(datagram) }
        for datagram in end.take() { next.receive(datagram) }
        if isAgreement {
            end.renew(as: .passive)
        } else {
            let between = try far(.active)
            between.start()
            end.run(with: between)
        }
        let count = end.keys.count
        end.run(with: next)
        #expect(end.keys.count == count + 1 && end.keys.last?.remote == next.keys?.local)
    }

    @Test("of two quick agreements the first handshake continues", arguments: [true, false])
    func ofTwoQuickAgreementsFirstHandshakeContinues(isAnswered: Bool) throws {
        let (end, _) = try established(.active)
        end.renew(as: .active)
        let first = try far(.passive)
        if isAnswered { for datagram in end.take() { first.receive(datagram) } }
        end.renew(as: .active)
        if isAnswered {
            end.run(with: first)
            #expect(end.keys.count == 2 && end.keys.last?.remote == first.keys?.local)
            return
        }
        // The first one is not answered: the second one follows.
        _ = end.take()
        end.now = end.now + DTLSAssociations.doubtedLimit
        end.timedOut()
        let second = try far(.passive)
        end.run(with: second)
        #expect(end.keys.count == 2 && end.keys.last?.remote == second.keys?.local)
    }

    @Test("lost parts of the new handshake are repeated", arguments: 0..<10)
    func lostPartsOfNewHandshakeAreRepeated(lost: Int) throws {
        let (end, _) = try established(.passive)
        let next = try far(.active)
        next.start()
        end.run(with: next, losing: lost)
        #expect(end.keys.count == 2 && end.keys.last?.remote == next.keys?.local)
    }

    @Test("a far end that closed its association may start another one")
    func farEndThatClosedItsAssociationMayStartAnotherOne() throws {
        for role in [DTLSChannel.Role.active, .passive] {
            let (end, first) = try established(role)
            first.close()
            for datagram in first.take() { end.receive(datagram) }
            #expect(end.events.last == .closed)
            if role == .active { end.renew(as: .active) }
            let next = try far(role == .active ? .passive : .active)
            next.start()
            end.run(with: next)
            #expect(end.keys.count == 2 && end.keys.last?.remote == next.keys?.local)
        }
    }

    @Test("a far end that restarts during a handshake is accepted", arguments: [true, false])
    func farEndThatRestartsDuringHandshakeIsAccepted(asksForCookie: Bool) throws {
        let (end, first) = (try end(.passive, asksForCookie: asksForCookie), try far(.active))
        first.start()
        for datagram in first.take() { end.receive(datagram) }
        for datagram in end.take() { first.receive(datagram) }
        for datagram in first.take() where asksForCookie { end.receive(datagram) }
        _ = end.take()
        let next = try far(.active)
        next.start()
        end.run(with: next)
        #expect(end.keys.count == 1 && end.keys.last?.remote == next.keys?.local)
    }

    // MARK: Strangers

    @Test("another certificate changes no keys, from either end", arguments: [DTLSChannel.Role.active, .passive])
    func otherCertificateChangesNoKeys(role: DTLSChannel.Role) throws {
        let (end, _) = try established(role)
        if role == .active { end.renew(as: .active) }
        let next = try far(role == .active ? .passive : .active, as: stranger)
        next.start()
        end.run(with: next)
        #expect(end.keys.count == 1 && next.keys == nil)
        #expect(end.events.last == .kept(OpenSSLError("the far end has another certificate")))
        // It is reported, and the association in use still answers its own far end.
        #expect(next.failure?.hasPrefix("the far end refuses: ") == true, "\(next.failure ?? "")")
    }

    @Test("an unanswered handshake is abandoned, and the keys stay")
    func unansweredHandshakeIsAbandonedAndKeysStay() throws {
        let (end, _) = try established(.active)
        end.renew(as: .active)
        #expect(!end.take().isEmpty)
        #expect(try #require(end.timeLeft) <= DTLSAssociations.limit)
        end.now = end.now + DTLSAssociations.limit
        #expect(end.timeLeft ?? .zero <= .zero)
        end.timedOut()
        #expect(end.keys.count == 1 && end.timeLeft == nil)
        #expect(end.events.last == .kept(OpenSSLError("the far end did not finish the handshake in time")))
    }

    @Test("an unfinished handshake is abandoned, and another replaces it before")
    func unfinishedHandshakeIsAbandonedAndAnotherReplacesItBefore() throws {
        let (end, _) = try established(.passive)
        func leave() throws {
            let next = try far(.active)
            next.start()
            for _ in 0..<2 {
                for datagram in next.take() { end.receive(datagram) }
                for datagram in end.take() { next.receive(datagram) }
            }
        }
        try leave()
        #expect(end.timeLeft != nil)
        try leave()
        let next = try far(.active)
        next.start()
        end.run(with: next)
        #expect(end.keys.count == 2 && end.keys.last?.remote == next.keys?.local)
        try leave()
        end.now = end.now + DTLSAssociations.limit
        end.timedOut()
        #expect(end.keys.count == 2 && end.timeLeft == nil)
    }

    @Test("a replay of all the far end's data starts nothing")
    func replayOfAllFarEndDataStartsNothing() throws {
        let (end, first) = try established(.passive)
        let second = try far(.active)
        second.start()
        end.run(with: second)
        #expect(end.keys.count == 2)
        for datagram in first.sent + second.sent {
            end.receive(datagram)
            // An old ClientHello gets at most a cookie, which is useless to a sender that does not receive it.
            #expect(end.take().allSatisfy { $0.count < 200 })
        }
        #expect(end.keys.count == 2 && !end.events.contains(where: \.isFailure))
        let third = try far(.active)
        third.start()
        end.run(with: third)
        #expect(end.keys.count == 3)
    }

    @Test("a flood of ClientHellos gets less than it sends, and starts no handshake")
    func floodOfClientHellosGetsLessThanItSendsAndStartsNoHandshake() throws {
        let (end, _) = try established(.passive)
        let next = try far(.active)
        next.start()
        let hello = try #require(next.take().first)
        let before = end.unproven
        let longest = (0..<2_000).map { _ in
            end.receive(hello)
            return end.take().joined().count
        }.max()
        #expect(try #require(longest) < hello.count)
        #expect(end.timeLeft == nil && end.unproven - before == 2_000)
        end.run(with: next)
        let late = try far(.active)
        late.start()
        end.run(with: late)
        #expect(end.keys.last?.remote == late.keys?.local)
    }

    @Test("an attacker on the path can start few handshakes, and time restores them")
    func attackerOnPathCanStartFewHandshakesAndTimeRestoresThem() throws {
        let (end, _) = try established(.passive)
        func begins() throws -> Bool {
            let next = try far(.active, as: stranger)
            next.start()
            for datagram in next.take() { end.receive(datagram) }
            for datagram in end.take() { next.receive(datagram) }
            for datagram in next.take() { end.receive(datagram) }
            return end.take().joined().count > 200
        }
        #expect(try (0..<100).count { _ in try begins() } == 8)
        end.now = end.now + .seconds(5)
        #expect(try begins())
        #expect(try !begins())
    }

    @Test("noise and clear alerts end neither association", arguments: 1...10 as ClosedRange<UInt64>)
    func noiseAndClearAlertsEndNeitherAssociation(seed: UInt64) throws {
        let (end, _) = try established(.passive)
        var dice = SeededGenerator(seed: seed)
        let next = try far(.active)
        next.start()
        for _ in 0..<4 {
            for datagram in next.take() { end.receive(datagram) }
            end.receive([21, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 40])
            for _ in 0..<20 {
                let count = Int.random(in: 1...200, using: &dice)
                end.receive([21] + (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
            }
            for datagram in end.take() { next.receive(datagram) }
        }
        end.run(with: next)
        #expect(end.keys.count == 2 && !end.events.contains(where: \.isFailure))
    }
}

/// This end over its associations, with its reports. It cannot be copied, and a test has to pass it around.
private final class DTLSSuccession {
    private var associations: DTLSAssociations
    private(set) var events: [DTLSAssociations.Event] = []
    var now = Instant.zero

    init(_ context: DTLSContext, _ role: DTLSChannel.Role, _ settings: DTLSChannel.Settings) {
        associations = DTLSAssociations(context, role, settings)
    }

    /// The keys of each association, in their order.
    var keys: [SRTPKeys] {
        events.compactMap { if case .established(let session) = $0 { session.keys } else { nil } }
    }

    var unproven: Int { associations.unproven }
    var timeLeft: Duration? { associations.timeLeft(at: now) }

    func start() { events += associations.start() }
    func renew(as role: DTLSChannel.Role) { events += associations.renew(as: role, at: now) }
    func take() -> [[UInt8]] { associations.takeDatagrams() }
    func timedOut() { events += associations.timedOut(at: now) }

    func receive(_ datagram: [UInt8]) {
        events += unsafe datagram.withUnsafeBytes { unsafe associations.receive($0, at: now) }
    }

    /// Carries datagrams to and fro until the far end has keys or has failed. Losses are repeated.
    /// - Parameter losing: the number of one that is lost, counted over both directions.
    func run(with far: DTLSEnd, losing: Int = -1) {
        var number = 0
        for _ in 0..<40 {
            let (ours, theirs) = (take(), far.take())
            for datagram in theirs {
                if number != losing { receive(datagram) }
                number += 1
            }
            for datagram in ours {
                if number != losing { far.receive(datagram) }
                number += 1
            }
            guard ours.isEmpty, theirs.isEmpty else { continue }
            if far.keys != nil || far.failure != nil { return }
            far.repeatWhatIsDue()
            timedOut()
        }
    }
}

extension DTLSAssociations.Event {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
