import Base
import Bench
import Control
import HostStalls
import JSON
import Rig
import SIPCore
import Testing

/// A call's two sources over real wires: a backend's caller info by mosquitto over TLS, and a server's offer by SIP.
@Suite(.serialized, .stallsForgiven, .enabled(if: Broker.isThere, "needs mosquitto (Scripts/setup test)"))
struct BrokerCallTests {
    private static let (number, wireNumber) = ("+4930123456", "4930123456")
    private let scene: BrokerScene

    init() throws { scene = try BrokerScene(port: 29_500) }

    @Test(.limit(minutesEachTime: 1)) func infoFirstMergesWithTheOffer() throws {
        try scene.tell(
            Self.number, "Ada", id: "a", more: ["organization_id": 7, "organization_name": "Example"])
        let ring = try scene.phone.wait(for: "incomingCall")
        #expect(ring.summary("number") == .string(Self.number) && ring.summary("name") == "Ada")
        // A second message about the call announces nothing.
        try scene.tell(Self.number, "Ada", id: "a")
        let caller = try scene.offer(Self.wireNumber)
        _ = try scene.server.response(.ringing)
        // The command ends when the server has acknowledged the answer.
        let answering = try ChildProcess(
            [Workplace.phone, "ctl", "answer", "--socket", scene.phone.folder.socket],
            log: scene.workplace.path + "/answer.log")
        let tag = try #require(try scene.server.response(.ok).headers.to.tag)
        try scene.server.say(caller.request(.ack, branch: "ack", toTag: tag), to: scene.port)
        let up = try scene.phone.wait(for: "callAnswered")
        #expect(answering.wait(upTo: .seconds(5)) == .status(0))
        #expect(up.fields["call"] == ring.fields["call"] && up.summary("name") == "Ada")
        #expect(try scene.events("incomingCall").count == 1)
        try scene.server.say(caller.request(.bye, sequence: 2, toTag: tag), to: scene.port)
        try scene.phone.wait(for: "callEnded")
    }

    @Test(.limit(minutesEachTime: 1), arguments: [Duration.zero, .milliseconds(700)])
    func infoAfterTheOfferUpdatesTheDisplay(_ delay: Duration) throws {
        try scene.offer(Self.wireNumber)
        let ring = try scene.phone.wait(for: "incomingCall")
        #expect(ring.summary("number") == .string(Self.wireNumber) && ring.summary("name") == .null)
        _ = try scene.server.response(.ringing)
        MonotonicTime.sleep(delay)
        try scene.tell(Self.number, "Ada", id: "a")
        let shown = try scene.phone.wait(for: "callDisplayUpdated") { $0.summary("name") == "Ada" }
        #expect(shown.fields["call"] == ring.fields["call"])
        #expect(try scene.events("incomingCall").count == 1)
    }

    @Test(.limit(minutesEachTime: 1)) func infoWithoutOfferIsMissed() throws {
        try scene.tell(Self.number, "Ada", id: "a")
        try scene.phone.wait(for: "incomingCall")
        let asked = MonotonicTime.now
        let missed = try scene.phone.wait(for: "missedCall", upTo: .seconds(8))
        #expect(missed.fields["reason"] == "noOffer" && missed.summary("name") == "Ada")
        #expect(missed.summary("number") == .string(Self.number))
        #expect((.seconds(4)...Duration.seconds(6)).contains(MonotonicTime.now - asked))
    }

    @Test(.limit(minutesEachTime: 1)) func callEndedElsewhereStopsRinging() throws {
        try scene.tell(Self.number, "Ada", id: "a")
        let ring = try scene.phone.wait(for: "incomingCall")
        try scene.tell(Self.number, id: "a", type: "call_ended")
        let ended = try scene.phone.wait(for: "answeredElsewhere")
        #expect(ended.fields["call"] == ring.fields["call"])
        #expect(try scene.events("missedCall").isEmpty)
    }

    @Test(.limit(minutesEachTime: 1)) func endThatOvertakesTheCallPreventsRinging() throws {
        try scene.tell(Self.number, id: "a", type: "call_ended")
        try scene.tell(Self.number, "Ada", id: "a")
        try scene.settle()
        #expect(try scene.events("incomingCall").isEmpty && scene.events("missedCall").isEmpty)
    }

    @Test(.limit(minutesEachTime: 1)) func oldAndInvalidMessagesDoNotRing() throws {
        try scene.tell(Self.number, "Ada", id: "a", age: 31)
        try scene.tell(Self.number, "Ada", id: "b", more: ["organization_id": [7]])
        try scene.settle()
        #expect(try scene.events("incomingCall").isEmpty)
        #expect(try scene.metric(#"offhook_caller_info_messages_total{result="stale"}"#) == 1)
        #expect(try scene.metric(#"offhook_caller_info_messages_total{result="invalid"}"#) == 1)
        #expect(try scene.metric("offhook_caller_info_connected") == 1)
        // The phone rings for the next call.
        try scene.tell(Self.number, "Ada", id: "c")
        try scene.phone.wait(for: "incomingCall")
    }

    @Test(.limit(minutesEachTime: 1)) func twoCallersWithOneNumberAreTwoCalls() throws {
        try scene.tell(Self.number, "Ada", id: "a")
        try scene.tell(Self.number, "Bob", id: "b")
        let first = try scene.phone.wait(for: "incomingCall")
        let second = try scene.phone.wait(for: "incomingCall")
        #expect(first.summary("name") == "Ada" && second.summary("name") == "Bob")
        // Each end names its call.
        try scene.tell(Self.number, id: "b", type: "call_ended")
        #expect(try scene.phone.wait(for: "answeredElsewhere").fields["call"] == second.fields["call"])
        try scene.tell(Self.number, id: "a", type: "call_ended")
        #expect(try scene.phone.wait(for: "answeredElsewhere").fields["call"] == first.fields["call"])
    }

    @Test(.limit(minutesEachTime: 1)) func restartedBrokerSendsCallersAgain() throws {
        scene.broker.kill()
        // A call does not need the broker.
        try scene.offer(Self.wireNumber)
        try scene.phone.wait(for: "incomingCall")
        _ = try scene.server.response(.ringing)
        try scene.broker.start()
        try scene.broker.waitForText("online", of: "offhook/desk/presence", upTo: .seconds(10))
        try scene.tell(Self.number, "Ada", id: "a")
        try scene.phone.wait(for: "callDisplayUpdated") { $0.summary("name") == "Ada" }
    }

    @Test(.limit(minutesEachTime: 1)) func floodDelaysNoCallOfTheServer() throws {
        let lines = (0..<4_000).map { BrokerScene.message("+49301\(10_000 + $0)", "Flood", id: "f\($0)") }
        let flood = try scene.broker.flood(lines, to: BrokerScene.topic)
        MonotonicTime.sleep(.milliseconds(200))
        // The phone is full of callers whom only the broker knows, so it answers that it is busy: at once.
        let asked = MonotonicTime.now
        try scene.offer("4940999")
        _ = try scene.server.response(.busyHere)
        #expect(MonotonicTime.now - asked < .milliseconds(400))
        #expect(flood.wait(upTo: .seconds(20)) == .status(0))
        #expect(try scene.phone.ask("getSnapshot")["calls"]?.array?.count ?? 99 <= 2)
        #expect(scene.phone.process.stop().exit == .status(0))
    }

    /// 1,000 messages a second for 30 s, some of them as long as a message may be.
    @Test(.wholeMatrixOnly, .limit(minutesEachTime: 2)) func halfMinuteOfFloodTakesNoMemoryAndDelaysNoCall() throws {
        let long = ["caller_avatar": JSONValue.string(String(repeating: "a", count: 2_000))]
        let more = ["padding": JSONValue.string(String(repeating: "b", count: 60_000))]
        let lines = (0..<30_000).map { number in
            BrokerScene.message(
                "+4930\(100_000 + number)", "Flood", id: "f\(number)",
                more: number.isMultiple(of: 500) ? more : number.isMultiple(of: 50) ? long : [:])
        }
        let before = try scene.metric("offhook_memory_anonymous_bytes")
        let flood = try scene.broker.flood(lines, to: BrokerScene.topic, rate: 1_000)
        // A program that does not read its events is dropped.
        func watch(_ duration: Duration) throws {
            let end = MonotonicTime.now + duration
            while MonotonicTime.now < end {
                try scene.phone.collect()
                MonotonicTime.sleep(.milliseconds(20))
            }
        }
        for call in 1...5 {
            try watch(.seconds(5))
            let asked = MonotonicTime.now
            try scene.offer("49409\(call)", callID: "flooded-\(call)")
            _ = try scene.server.response(.busyHere)
            #expect(MonotonicTime.now - asked < .milliseconds(400))
        }
        try watch(.seconds(10))
        #expect(flood.wait(upTo: .seconds(60)) == .status(0))
        #expect(try scene.metric("offhook_memory_anonymous_bytes") - before < 8_000_000)
        #expect(scene.phone.process.stop().exit == .status(0))
    }
}

extension ControlEvent {
    /// A member of the summary of the event's call.
    func summary(_ name: String) -> JSONValue? { fields["summary"]?[name] }
}
