import Control
import Dispatch
import Glibc
import JSON
import PhoneCore
import Testing

@Suite struct ClientTests {
    @Test func missingPhoneIsReportedAtOnce() {
        #expect(throws: ControlClientError.unreachable(path: "/tmp/no-such", why: "No such file or directory")) {
            try ControlClient(path: "/tmp/no-such")
        }
        #expect(throws: ControlClientError.self) { try ControlClient(path: "") }
        #expect(throws: ControlClientError.self) { try ControlClient(path: String(repeating: "x", count: 108)) }
    }

    @Test func silentPhoneTimesOut() throws {
        let place = Workplace()
        let listener = RawSocket.listener(path: place.socket)
        let client = try ControlClient(path: place.socket)
        #expect(throws: ControlClientError.timedOut) { try client.call("ping", timeout: .milliseconds(20)) }
        #expect(try client.nextEvent(timeout: .milliseconds(20)) == nil)
        #expect(throws: ControlClientError.timedOut) {
            try client.waitForEvent(timeout: .milliseconds(20)) { _ in true }
        }
        _ = close(listener)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\n", "{\"id\":1}\n", "{\"id\":null,\"error\":7}\n"])
    func otherServerIsNamed(answer: String) throws {
        let place = Workplace()
        let listener = RawSocket.listener(path: place.socket)
        let client = try ControlClient(path: place.socket)
        let peer = accept(listener, nil, nil)
        let bytes = Array(answer.utf8)
        #expect(unsafe bytes.withUnsafeBytes { unsafe write(peer, $0.baseAddress, $0.count) } == bytes.count)
        #expect { try client.call("ping") } throws: {
            if case ControlClientError.malformed = $0 { true } else { false }
        }
        _ = (close(peer), close(listener))
    }

    @Test func lateAnswerIsIgnored() throws {
        try TestPhone.run(manner: .waits) { phone in
            let client = try phone.client()
            #expect(throws: ControlClientError.timedOut) { try client.call("answer", timeout: .milliseconds(20)) }
            let action = try #require(phone.asked.take()?.action)
            try phone.perform(.settled(action, .failed(.wrongState)))
            #expect(try client.call("ping")["version"] == "1.2.3")
        }
    }

    static let outcomes: [(notice: Notice, why: String?)] = [
        (.callEnded(EventTests.summary(.ended), .transferred), nil),
        (.transferFailed(EventTests.summary(.active), to: "999"), "transfer of 100 to 999 failed"),
        (
            .callEnded(EventTests.summary(.ended), .hungUpThere),
            "the call ended before it was transferred: the far end hung up"
        ),
        (
            .callEnded(EventTests.summary(.failed), .mediaLost),
            "the call ended before it was transferred: no media arrived any more"
        ),
    ]

    /// A far end that accepts a transfer has not made it yet.
    @Test(arguments: outcomes) func transferWaitsForItsOutcome(notice: Notice, why: String?) throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            let other = EventTests.summary(.active, call: CallID(.phone, 2))
            DispatchQueue.global().async {
                guard phone.asked.take()?.request == .transfer(CallID(.phone, 1), to: "999") else { return }
                try? phone.perform(.notice(.transferFailed(other, to: "1")), .notice(notice))
            }
            let told = try client.transfer("transfer", ["call": "out-1", "to": "999"], staying: .seconds(10))
            #expect(told == why)
        }
    }

    @Test func undecidedTransferIsNoSuccess() throws {
        try TestPhone.run { phone in
            let told = try phone.client().transfer(
                "transfer", ["call": "out-1", "to": "999"], staying: .milliseconds(20))
            #expect(told == "the far end has not reported the outcome of the transfer yet")
        }
    }

    @Test func eventsBeforeAnswerAreKept() throws {
        try TestPhone.run(manner: .waits) { phone in
            let client = try phone.subscriber()
            for name in [EventName.firstVoice, .dtmfSent, .toneChanged] { try phone.onLoop { $0.publish(name) } }
            #expect(try client.call("ping")["version"] == "1.2.3")
            try phone.onLoop { $0.publish(.line) }
            #expect(try client.waitForEvent(timeout: .seconds(10)) { $0.name == "dtmfSent" }.name == "dtmfSent")
            let names = try (0..<2).map { _ in try client.nextEvent(timeout: .seconds(10))?.name }
            #expect(names == ["toneChanged", "line"])
        }
    }
}
