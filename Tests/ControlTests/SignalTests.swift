import Base
import Control
import JSON
import PhoneCore
import Testing

@Suite struct SignalTests {
    private static func signal(_ number: Int, _ message: [UInt8]? = nil) -> ControlSignal {
        ControlSignal(
            at: Instant(nanoseconds: Int64(number)), account: AccountID(3), direction: .sent, transport: "udp",
            local: ("192.0.2.1", 5_060), remote: ("2001:db8::1", 5_061), message: message ?? Array("M \(number)".utf8))
    }

    private static func publish(_ phone: TestPhone, _ signals: [ControlSignal]) throws {
        try phone.onLoop { control in for signal in signals { control.publish(signal) } }
    }

    private static func read(_ client: ControlClient, after seen: Int64, wait: Bool = false) throws -> JSONValue {
        try client.call("getSignals", ["after": .integer(seen), "wait": .bool(wait)])
    }

    private static func signals(_ page: JSONValue) -> [ControlSignal] {
        (page["signals"]?.array ?? []).compactMap { .init($0) }
    }

    @Test func earlierMessagesAreReadInOrderAndOnce() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            #expect(try Self.read(client, after: 0) == ["last": 0, "lost": 0, "signals": []])
            let sent = (1...3).map { Self.signal($0) }
            try Self.publish(phone, sent)
            let page = try Self.read(client, after: 0)
            #expect(Self.signals(page) == sent && page["last"] == 3 && page["lost"] == 0)
            #expect(page["signals"]?.array?.first?["label"] == "Büro")
            #expect(Self.signals(try Self.read(client, after: 2)) == [sent[2]])
            #expect(try Self.read(client, after: 3) == ["last": 3, "lost": 0, "signals": []])
            #expect(try phone.onLoop { $0.statistics.signals } == 3)
        }
    }

    @Test func waitingReaderGetsNextMessage() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            func ask(_ id: Int) {
                raw.send(
                    #"{"jsonrpc":"2.0","id":\#(id),"method":"getSignals","params":{"after":0,"wait":true}}"# + "\n")
            }
            ask(1)
            // A later query of the same client replaces the waiting one.
            ask(2)
            #expect(try raw.receive() == ["jsonrpc": "2.0", "id": 1, "result": ["last": 0, "lost": 0, "signals": []]])
            try Self.publish(phone, [Self.signal(1), Self.signal(2)])
            let answer = try raw.receive()
            #expect(answer?["id"] == 2 && answer?["result"]?["last"] == 1)
            #expect(try phone.onLoop { $0.statistics.requestsInFlight } == 0)
        }
    }

    @Test func readerThatLeftIsForgotten() throws {
        try TestPhone.run { phone in
            do {
                let raw = try RawSocket(path: phone.path)
                raw.send(#"{"jsonrpc":"2.0","id":1,"method":"getSignals","params":{"wait":true}}"# + "\n")
                let isThere = try phone.comesTrue { $0.requests == 1 }
                #expect(isThere)
            }
            let isGone = try phone.comesTrue { $0.connections == 0 }
            #expect(isGone)
            try Self.publish(phone, [Self.signal(1)])
            #expect(Self.signals(try Self.read(try phone.client(), after: 0)).count == 1)
        }
    }

    @Test func newestMessagesReplaceOldestAndLossIsCounted() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            try Self.publish(phone, (1...2_000).map { Self.signal($0) })
            var (seen, lost, read) = (Int64(100), Int64(0), [Int64]())
            while true {
                let page = try Self.read(client, after: seen)
                lost += page["lost"]?.integer ?? 0
                guard let last = page["last"]?.integer, last > seen else { break }
                read += Self.signals(page).map(\.at.nanoseconds)
                seen = last
            }
            #expect(read == Array(1_501...2_000) && lost == 1_400 && seen == 2_000)
            // A new reader has lost nothing.
            #expect(try Self.read(client, after: 0)["lost"] == 0)
        }
    }

    @Test func longestMessagesArePagedAndBounded() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            // Every byte of these needs an escape, or has no text.
            let worst = [[0x0D, 0x0A], [0x22, 0x5C], [0x01, 0xFF], [0xC3, 0xA9]].map { pair in
                Self.signal(0, [UInt8]((0..<32_768).flatMap { _ in pair as [UInt8] }))
            }
            try Self.publish(phone, Array(repeating: worst, count: 10).flatMap { $0 })
            var (seen, count) = (Int64(0), 0)
            while let last = try Self.read(client, after: seen)["last"]?.integer, last > seen {
                let page = Self.signals(try Self.read(client, after: seen))
                #expect(page.count == 1 && worst.contains(page[0]))
                count += page.count
                seen = last
            }
            #expect(count == 16 && seen == 40)
        }
    }

    @Test func textStaysTextAndBytesStayBytes() throws {
        try TestPhone.run { phone in
            let messages = [Array("INVITE é\r\n".utf8), [0x49, 0x1B], [0x49, 0xFF], []]
            try Self.publish(phone, messages.map { Self.signal(1, $0) })
            let page = try Self.read(try phone.client(), after: 0)
            #expect(Self.signals(page).map(\.message) == messages)
            #expect(page["signals"]?.array?.map { $0["hex"] } == [nil, "491b", "49ff", nil])
        }
    }

    @Test(arguments: [#""after":-1"#, #""after":"x""#, #""wait":1"#, #""since":1"#])
    func invalidQueriesAreRefused(params: String) throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","id":1,"method":"getSignals","params":{\#(params)}}"# + "\n")
            #expect(try raw.receive()?["error"]?["data"]?["code"] == "invalidParams")
        }
    }

    @Test(arguments: [
        "{}", #"{"at":1}"#, #"{"at":1,"account":1,"direction":"up","transport":"udp","local":{},"remote":{}}"#,
    ])
    func malformedPageIsRejected(text: String) throws {
        #expect(ControlSignal(try JSONValue(parsing: Array(text.utf8))) == nil)
    }
}
