import Control
import JSON
import NIOCore
import PhoneCore
import Testing

/// Server-sent events: sent, resumed, and lost.
@Suite struct EventStreamTests {
    /// An open stream.
    private func stream(_ phone: TestPhone, after identifier: String? = nil) throws -> RawSocket {
        let browser = try phone.browser()
        browser.request("GET", "/events", scope: .observe, identifier.map { ["Last-Event-ID: \($0)"] } ?? [])
        let head = try #require(try browser.answer(hasBody: false))
        #expect(head.status == 200 && head.headers["content-type"] == "text/event-stream; charset=utf-8")
        return browser
    }

    private func publish(_ numbers: ClosedRange<Int>, _ phone: TestPhone) throws {
        try phone.onLoop { control in
            for number in numbers { control.publish(.line, ["number": .integer(Int64(number))]) }
        }
    }

    /// The numbers of the next events, by their data.
    private func numbers(_ count: Int, from stream: RawSocket) throws -> [Int64?] {
        try (0..<count).map { _ in
            let frame = try #require(try stream.frame())
            return try JSONValue(parsing: frame["data"] ?? "")["number"]?.integer
        }
    }

    @Test func streamStartsWithClientReadyAndSendsEvents() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let stream = try stream(phone)
            let first = try #require(try stream.frame())
            #expect(first["event"] == "clientReady")
            try phone.perform(.notice(.muteChanged(true)))
            let event = try #require(try stream.frame())
            #expect(event["event"] == "muteStateChanged" && event["id"] != first["id"])
            let data = try JSONValue(parsing: event["data"] ?? "")
            #expect(data["muted"] == true && data["name"] == "muteStateChanged" && data["at"]?.integer != nil)
        }
    }

    @Test func streamResumesAfterLastEvent() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let first = try stream(phone)
            _ = try first.frame()
            try publish(1...3, phone)
            _ = try first.frame()
            let second = try #require(try first.frame())
            let known = try #require(second["id"])
            try publish(4...5, phone)
            let resumed = try stream(phone, after: known)
            #expect(try resumed.frame()?["event"] == "clientReady")
            #expect(try numbers(3, from: resumed) == [3, 4, 5])
            let browser = try phone.browser()
            browser.request("GET", "/events?after=\(known)", scope: .observe)
            _ = try browser.answer(hasBody: false)
            #expect(try browser.frame()?["id"] == known)
            #expect(try numbers(3, from: browser) == [3, 4, 5])
        }
    }

    @Test(arguments: ["nothing", "-", "a-1", "1-99999999999999999999", "", "x y"])
    func streamOfFormerRunStartsAgain(_ identifier: String) throws {
        try TestPhone.run(TestPhone.http()) { phone in
            try publish(1...3, phone)
            let stream = try stream(phone, after: identifier)
            #expect(try stream.frame()?["event"] == "reset")
            #expect(try stream.frame()?["event"] == "clientReady")
            try publish(4...4, phone)
            #expect(try numbers(1, from: stream) == [4])
        }
    }

    @Test func lateResumeReportsLoss() throws {
        try TestPhone.run(TestPhone.http()) { phone in
            let first = try stream(phone)
            let known = try #require(try first.frame()?["id"])
            try publish(1...512, phone)
            #expect(try numbers(512, from: first).last == 512)
            let inTime = try stream(phone, after: known)
            #expect(try inTime.frame()?["event"] == "clientReady")
            #expect(try numbers(512, from: inTime).first == 1)
            try publish(513...513, phone)
            #expect(try stream(phone, after: known).frame()?["event"] == "reset")
        }
    }

    @Test func streamSendsKeepAlives() throws {
        try TestPhone.run(TestPhone.http { $0.keepAlive = .milliseconds(20) }) { phone in
            let stream = try stream(phone)
            _ = try stream.frame()
            #expect(try stream.frame() == ["": ""], "a comment")
        }
    }
}
