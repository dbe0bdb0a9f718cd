import Base
import LineCore
import SIPCore
import Testing

@Suite("Subscriptions, as a unit")
struct SubscriptionsPartTests {
    /// A subscription to waiting messages.
    private struct Desk {
        var bench = PartBench()
        var subscriptions = Subscriptions([.messages])
        var request: SIPRequest

        /// SUBSCRIBE is pending.
        init() throws {
            #expect(subscriptions.begin(in: &bench.context).map(Self.name) == ["abandon", "locate"])
            let effects = subscriptions.subscribe(.messages, over: PartBench.server, in: &bench.context)
            guard case .send(let request, .messages, PartBench.server)? = effects.first else {
                throw Missing()
            }
            self.request = request
        }

        struct Missing: Error {}

        static func name(_ effect: Subscriptions.Effect) -> String {
            switch effect {
            case .locate: "locate"
            case .abandon: "abandon"
            case .send: "send"
            case .sendInDialog: "sendInDialog"
            case .watched: "watched"
            case .messagesWaiting(let count): "messages \(count)"
            }
        }

        var dialog: Dialog.ID {
            get throws {
                Dialog.ID(
                    callID: try request.headers.callID, localTag: try #require(request.headers.from.tag),
                    remoteTag: "server")
            }
        }

        mutating func accept() -> [String] {
            let response = PartBench.response(
                .ok, to: request, [(.contact, "<sip:server.example>"), (.expires, "600")])
            return subscriptions.accepted(
                .messages, response, to: request, over: PartBench.server, in: &bench.context, at: bench.now
            ).map(Self.name)
        }

        mutating func notify(_ state: String, sequence: UInt32 = 1) throws -> [String] {
            let notify = try PartBench.request(
                .notify, in: dialog, sequence: sequence,
                [
                    (.event, "message-summary"), (.subscriptionState, state),
                    (.contentType, "application/simple-message-summary"),
                ], body: "Messages-Waiting: yes\r\nVoice-Message: 2/8\r\n")
            return try subscriptions.notified(dialog, notify, in: &bench.context, at: bench.now).map(Self.name)
        }

        mutating func deadline() throws -> [String] {
            bench.now = try #require(subscriptions.deadline)
            return subscriptions.deadlineReached(in: &bench.context, at: bench.now).map(Self.name)
        }
    }

    @Test("a subscription is renewed in its dialog before it ends")
    func subscriptionIsRenewedInItsDialogBeforeItEnds() throws {
        var desk = try Desk()
        #expect(desk.accept().isEmpty)
        #expect(try desk.notify("active;expires=600") == ["messages 2"])
        #expect(try desk.deadline() == ["sendInDialog"])
        #expect(desk.bench.now >= Instant.zero + .seconds(450) && desk.bench.now <= Instant.zero + .seconds(540))
    }

    @Test("a subscription without NOTIFY is requested again")
    func subscriptionWithoutNOTIFYIsRequestedAgain() throws {
        var desk = try Desk()
        _ = desk.accept()
        #expect(try desk.deadline().isEmpty, "it pauses")
        #expect(desk.bench.now == Instant.zero + SIPTimers().timeout)
        #expect(try desk.deadline() == ["abandon", "locate"])
    }

    @Test("pauses after silence double")
    func pausesAfterSilenceDouble() throws {
        var desk = try Desk()
        var pauses: [Duration] = []
        for _ in 0..<5 {
            let before = desk.bench.now
            _ = desk.subscriptions.unanswered(.messages, in: &desk.bench.context, at: before)
            _ = try desk.deadline()
            pauses.append(desk.bench.now - before)
        }
        for (index, pause) in pauses.enumerated() {
            let longest = Duration.seconds(4 << index)
            #expect(pause >= longest / 2 && pause <= longest)
        }
    }

    @Test("a permanently refused subscription waits for the next registration")
    func permanentlyRefusedSubscriptionWaitsForNextRegistration() throws {
        var desk = try Desk()
        let response = PartBench.response(.badEvent, to: desk.request)
        let effects = desk.subscriptions.rejected(.messages, response, in: &desk.bench.context, at: .zero)
        #expect(effects.isEmpty && desk.subscriptions.deadline == nil)
        #expect(desk.subscriptions.begin(in: &desk.bench.context).map(Desk.name) == ["abandon", "locate"])
    }

    @Test("an overtaken or foreign NOTIFY changes nothing")
    func overtakenOrForeignNOTIFYChangesNothing() throws {
        var desk = try Desk()
        _ = desk.accept()
        _ = try desk.notify("active;expires=600", sequence: 5)
        #expect { try desk.notify("terminated;reason=rejected", sequence: 5) } throws: {
            ($0 as? RequestRefusal)?.status == .serverInternalError
        }
        #expect(try desk.deadline() == ["sendInDialog"], "it lives")
    }

    @Test("subscriptions over a lost flow are renewed; pausing ones keep their pause")
    func subscriptionsOverLostFlowAreRenewed() throws {
        var desk = try Desk()
        _ = desk.accept()
        _ = try desk.notify("active;expires=600")
        #expect(
            desk.subscriptions.move(from: PartBench.stream, in: &desk.bench.context).map(Desk.name) == [
                "abandon", "locate",
            ])
        _ = desk.subscriptions.unanswered(.messages, in: &desk.bench.context, at: .zero)
        #expect(desk.subscriptions.move(from: PartBench.server, in: &desk.bench.context).isEmpty)
    }
}
