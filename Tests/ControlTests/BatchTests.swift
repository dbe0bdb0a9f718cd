import Control
import JSON
import PhoneCore
import Testing

/// Several requests in a line, a repeated request, and a cancelled one.
@Suite struct BatchTests {
    @Test func batchIsAnsweredWhenLastAnswerIsReady() throws {
        try TestPhone.run(manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(
                #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"answer"},7,"#
                    + #"{"jsonrpc":"2.0","id":2,"method":"hangup"},{"jsonrpc":"2.0","id":3,"method":"fly"}]"# + "\n")
            let actions = (0..<2).compactMap { _ in phone.asked.take()?.action }
            try #require(actions.count == 2)
            try phone.perform(.settled(actions[1], .fulfilled))
            raw.send(LimitTests.ping)
            #expect(try raw.receive()?["result"]?["version"] == "1.2.3", "the batch still waits")
            try phone.perform(.settled(actions[0], .failed(.noSuchCall)))
            let answers = try #require(try raw.receive()?.array)
            #expect(answers.count == 4, "the notification has none")
            let codes = answers.map { $0["error"]?["data"]?["code"]?.string }
            #expect(Set(codes) == [nil, "invalidRequest", "methodNotFound"])
            #expect(Set(answers.compactMap { $0["id"]?.integer }) == [1, 2, 3])
        }
    }

    @Test func batchOfNotificationsIsNotAnswered() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            let one = #"{"jsonrpc":"2.0","method":"answer"}"#
            raw.send("[\(one),\(one)]\n")
            #expect(phone.asked.take() != nil && phone.asked.take() != nil)
            raw.send(LimitTests.ping)
            #expect(try raw.receive()?["id"] == 1)
        }
    }

    @Test func batchCountsAsItsRequests() throws {
        var settings = ControlSettings(path: "")
        settings.maximumRequestsInFlight = 3
        try TestPhone.run(settings, manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            let requests = (1...4).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"answer"}"# }
            raw.send("[" + requests.joined(separator: ",") + "]\n")
            let actions = (0..<3).compactMap { _ in phone.asked.take()?.action }
            for action in actions { try phone.perform(.settled(action, .fulfilled)) }
            let answers = try #require(try raw.receive()?.array)
            #expect(answers.compactMap { $0["error"]?["data"]?["code"] } == ["tooManyRequests"])
        }
    }

    @Test func clientThatLeavesDuringBatchIsForgotten() throws {
        try TestPhone.run(manner: .waits) { phone in
            do {
                let raw = try RawSocket(path: phone.path)
                raw.send(#"[{"jsonrpc":"2.0","id":1,"method":"answer"}]"# + "\n")
                #expect(phone.asked.take() != nil)
            }
            let isForgotten = try phone.comesTrue { $0.connections == 0 && $0.requestsInFlight == 0 }
            #expect(isForgotten)
        }
    }

    // MARK: Repeated request

    private static func dial(_ id: Int, _ target: String, key: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"dial","params":{"target":"\#(target)","key":"\#(key)"}}"# + "\n"
    }

    @Test func repeatedKeyGetsSameAnswerAndOneCall() throws {
        try TestPhone.run(manner: .waits) { phone in
            let (first, second) = (try RawSocket(path: phone.path), try RawSocket(path: phone.path))
            first.send(Self.dial(1, "100", key: "k"))
            let action = try #require(phone.asked.take()?.action)
            second.send(Self.dial(2, "100", key: "k"))
            let bothWait = try phone.comesTrue { $0.requestsInFlight == 2 }
            #expect(bothWait)
            try phone.perform(.settled(action, .failed(.noRoom)))
            for (socket, id) in [(first, Int64(1)), (second, 2)] {
                let answer = try socket.receive()
                #expect(answer?["id"] == .integer(id) && answer?["error"]?["data"]?["code"] == "noRoom")
            }
            second.send(Self.dial(3, "100", key: "k"))
            #expect(try second.receive()?["error"]?["data"]?["code"] == "noRoom", "and afterwards")
            second.send(Self.dial(4, "101", key: "k"))
            #expect(try second.receive()?["error"]?["data"]?["code"] == "invalidParams", "for another number")
            #expect(try phone.onLoop { $0.statistics.requestsInFlight } == 0)
            second.send(Self.dial(5, "100", key: "other"))
            #expect(phone.asked.take()?.request == .dial("100", account: nil))
        }
    }

    @Test func oldestKeysAreForgottenFirst() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            for key in 0...64 {
                raw.send(Self.dial(key, "100", key: "\(key)"))
                #expect(try raw.receive()?["result"] == [:] && phone.asked.take() != nil)
            }
            raw.send(Self.dial(1, "101", key: "1"))
            #expect(try raw.receive()?["error"]?["data"]?["code"] == "invalidParams")
            raw.send(Self.dial(0, "101", key: "0"))
            #expect(try raw.receive()?["result"] == [:])
        }
    }

    // MARK: Cancelled request

    @Test func cancelledRequestIsAnsweredAtOnce() throws {
        try TestPhone.run(manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","id":"a","method":"answer"}"# + "\n")
            let action = try #require(phone.asked.take()?.action)
            raw.send(#"{"jsonrpc":"2.0","id":2,"method":"cancel","params":{"id":"a"}}"# + "\n")
            let answers = [try raw.receive(), try raw.receive()]
            #expect(answers[0]?["id"] == "a" && answers[0]?["error"]?["data"]?["code"] == "cancelled")
            #expect(answers[1] == ["jsonrpc": "2.0", "id": 2, "result": [:]])
            try phone.perform(.settled(action, .fulfilled))
            #expect(try phone.onLoop { $0.statistics.requestsInFlight } == 0)
            raw.send(#"{"jsonrpc":"2.0","id":3,"method":"cancel","params":{"id":"a"}}"# + "\n")
            #expect(try raw.receive()?["error"]?["data"]?["code"] == "noSuchRequest")
        }
    }

    @Test func cancelledMessageReaderIsAnsweredToo() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","id":1,"method":"getSignals","params":{"wait":true}}"# + "\n")
            raw.send(#"{"jsonrpc":"2.0","id":2,"method":"cancel","params":{"id":1}}"# + "\n")
            #expect(try raw.receive()?["error"]?["data"]?["code"] == "cancelled")
            #expect(try raw.receive()?["id"] == 2)
        }
    }

    @Test func clientCannotCancelForAnother() throws {
        try TestPhone.run(manner: .waits) { phone in
            let (one, other) = (try RawSocket(path: phone.path), try RawSocket(path: phone.path))
            one.send(#"{"jsonrpc":"2.0","id":1,"method":"answer"}"# + "\n")
            let action = try #require(phone.asked.take()?.action)
            other.send(#"{"jsonrpc":"2.0","id":1,"method":"cancel","params":{"id":1}}"# + "\n")
            #expect(try other.receive()?["error"]?["data"]?["code"] == "noSuchRequest")
            try phone.perform(.settled(action, .fulfilled))
            #expect(try one.receive()?["result"] == [:])
        }
    }
}
