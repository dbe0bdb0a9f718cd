import Base
import ICECore
import Testing

@Suite("The far end's consent")
struct ConsentTests {
    private func connected() -> Duel {
        var duel = Duel(role: .controlling)
        duel.describe()
        duel.answerAll(for: .seconds(1))
        return duel
    }

    @Test("consent is requested every 4 to 6 s with a new transaction")
    func consentIsRequestedEvery4To6SWithNewTransaction() {
        var duel = connected()
        var (ids, last): (Set<STUNMessage.TransactionID>, Instant) = ([], duel.now)
        for _ in 0..<20 {
            while duel.takeRequestsKeepingTime(&last).isEmpty { duel.run(for: .milliseconds(10)) }
            ids.insert(duel.asked)
        }
        #expect(ids.count == 20)
        #expect(duel.gaps.dropFirst().allSatisfy { (3.9...6.1).contains($0) }, "\(duel.gaps)")
        #expect(Set(duel.gaps.map { Int($0 * 10) }).count > 4)
    }

    @Test("without consent nothing is sent after 30 s until a restart")
    func withoutConsentNothingIsSentAfter30SUntilRestart() {
        var duel = connected()
        duel.run(for: .seconds(29))
        #expect(duel.path?.isNominated == true)
        duel.run(for: .seconds(2))
        #expect(duel.state == .disconnected && duel.effects.contains(.path(nil)))
        _ = duel.takeRequests()
        duel.run(for: .seconds(600))
        duel.deliver(duel.check(role: nil))
        duel.run(for: .seconds(5))
        #expect(duel.takeRequests().isEmpty)
        duel.post(.send([0x80, 1]))
        #expect(!duel.effects.contains { if case .transmit([0x80, 1], _, _) = $0 { true } else { false } })
        duel.post(.restart([Duel.socket]))
        duel.describe(credentials: Duel.credentials("them", "q"))
        #expect(duel.takeRequests().count == 1)
    }

    @Test("a far end silent for 15 s is doubted once, and again when consent ends")
    func farEndSilentFor15SIsDoubtedOnceAndAgainWhenConsentEnds() {
        var duel = connected()
        duel.answerAll(for: .seconds(60))
        #expect(!duel.effects.contains(.restartAdvised))
        let silentSince = duel.now
        duel.run(for: .seconds(8))
        #expect(!duel.effects.contains(.restartAdvised))
        duel.run(for: .milliseconds(7_200))
        #expect(duel.effects.count { $0 == .restartAdvised } == 1 && duel.path != nil, "since \(silentSince)")
        duel.run(for: .seconds(600))
        #expect(duel.effects.count { $0 == .restartAdvised } == 2 && duel.state == .disconnected)
    }

    @Test("a far end that answers again may be doubted again")
    func farEndThatAnswersAgainMayBeDoubtedAgain() {
        var duel = connected()
        for _ in 1...3 {
            duel.run(for: .seconds(20))
            duel.answerAll(for: .seconds(10))
        }
        #expect(duel.effects.count { $0 == .restartAdvised } == 3 && duel.path?.isNominated == true)
    }

    @Test("a new session without a path does not hide that the old one is silent, and finally fails")
    func newSessionWithoutPathDoesNotHideThatOldOneIsSilent() {
        var duel = connected()
        duel.post(.renew(Duel.credentials("ours", "o")))
        duel.describe([World.endpoint("192.168.1.8", 5_001)], credentials: Duel.credentials("them", "q"))
        #expect(!duel.effects.contains(.restartAdvised))
        duel.run(for: .seconds(16))
        #expect(duel.effects.count { $0 == .restartAdvised } == 1 && duel.state == .connected)
        duel.run(for: .seconds(100))
        #expect(duel.effects.count { $0 == .restartAdvised } == 2 && duel.state == .failed)
    }

    @Test("only authenticated responses are consent")
    func onlyAuthenticatedResponsesAreConsent() {
        var duel = connected()
        let wrong = STUNKey(password: Redacted("somebody else's password"))
        for _ in 0..<310 {
            for request in duel.takeRequests() {
                duel.deliver(duel.answer(request.message, key: wrong), from: request.to)
                duel.deliver(duel.answer(request.message, code: 400), from: request.to)
            }
            duel.run(for: .milliseconds(100))
        }
        #expect(duel.state == .disconnected && duel.agent.census.unproven >= 5)
    }

    @Test("consent is given, too: checks on an active path are answered")
    func consentIsGivenTooChecksOnActivePathAreAnswered() {
        var duel = connected()
        for _ in 0..<10 {
            duel.deliver(duel.check(role: (AttributeType.iceControlled, 1)))
            #expect(duel.takeAnswers().count == 1)
        }
    }
}

extension Duel {
    /// Answers the agent's checks, and notes the time between two of them.
    fileprivate mutating func takeRequestsKeepingTime(_ last: inout Instant) -> [STUNMessage] {
        let requests = takeRequests()
        for request in requests {
            deliver(answer(request.message), from: request.to)
            notes.append((request.message.id, Double((now - last).nanoseconds) / 1e9))
            last = now
        }
        return requests.map(\.message)
    }

    fileprivate var asked: STUNMessage.TransactionID { notes[notes.count - 1].id }
    fileprivate var gaps: [Double] { notes.map(\.gap) }
}
