import Control
import Glibc
import JSON
import PhoneCore
import Testing

@Suite struct LimitTests {
    static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n"

    @Test func lineMayComeInPieces() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            for byte in Self.ping.utf8 {
                raw.send([byte])
                // The loop has gone round: the piece was read on its own.
                _ = try phone.onLoop { $0.statistics }
            }
            #expect(try raw.receive()?["result"]?["version"] == "1.2.3")
            raw.send("\n\n" + Self.ping + Self.ping)
            for _ in 0..<2 { #expect(try raw.receive()?["id"] == 1) }
        }
    }

    @Test func unfinishedLineIsDropped() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(Self.ping + #"{"jsonrpc":"2.0","id":2,"method":"answer"}"#)
            raw.finishSending()
            #expect(try raw.receive()?["id"] == 1)
            #expect(try raw.receive() == nil)
            #expect(try phone.onLoop { $0.statistics.requests } == 1)
        }
    }

    @Test(arguments: [0, 1]) func longestLineIsAcceptedAndOneByteMoreIsNot(excess: Int) throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            let request = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
            raw.send(String(repeating: " ", count: 65_536 - request.utf8.count + excess) + request + "\n")
            let answer = try raw.receive()
            if excess == 0 {
                #expect(answer?["result"]?["version"] == "1.2.3")
            } else {
                #expect(answer?["error"]?["data"]?["code"] == "lineTooLong")
                #expect(try raw.receive() == nil)
                #expect(phone.reports.take() == .overlongLineDropped)
                #expect(try phone.client().call("getStatistics")["control"]?["overlongLines"] == 1)
            }
        }
    }

    @Test func seventeenthConnectionIsRefused() throws {
        try TestPhone.run { phone in
            var connections = try (0..<16).map { _ in try RawSocket(path: phone.path) }
            for connection in connections {
                connection.send(Self.ping)
                #expect(try connection.receive()?["id"] == 1)
            }
            #expect { try phone.client().call("ping") } throws: { RefusalTests.code(of: $0) == "tooManyConnections" }
            #expect(phone.reports.take() == .tooManyConnections)
            connections.removeLast()
            let hasRoom = try phone.comesTrue { $0.connections == 15 }
            #expect(hasRoom)
            #expect(try phone.client().call("ping")["version"] == "1.2.3")
            #expect(try phone.onLoop { $0.statistics.connectionsRefused } == 1)
        }
    }

    /// Its requests wait with it, and are answered when it reads.
    @Test func clientThatReadsNothingIsNotRead() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            let ping = Array(Self.ping.utf8)
            let all = Array(repeatElement(ping, count: 40_000).joined())
            let taken = raw.sendWhatIsTaken(of: all)
            #expect(taken < all.count, "it reads on and on")
            #expect(try phone.onLoop { $0.statistics.slowReadersDropped } == 0)
            for _ in 0..<taken / ping.count { try #require(raw.receive()?["id"] == 1) }
            raw.send(Array(all[taken..<(taken / ping.count + 1) * ping.count]))
            #expect(try raw.receive()?["id"] == 1)
        }
    }

    @Test func pendingRequestsAreLimited() throws {
        var settings = ControlSettings(path: "")
        settings.maximumRequestsInFlight = 3
        try TestPhone.run(settings, manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            for id in 1...4 { raw.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"answer"}"# + "\n") }
            let refused = try raw.receive()
            #expect(refused?["id"] == 4)
            #expect(refused?["error"]?["data"]?["code"] == "tooManyRequests")
            let action = try #require(phone.asked.take()?.action)
            try phone.perform(.settled(action, .fulfilled))
            #expect(try raw.receive()?["id"] == 1)
            raw.send(#"{"jsonrpc":"2.0","id":5,"method":"answer"}"# + "\n")
            let others = (0..<3).compactMap { _ in phone.asked.take()?.action }
            #expect(others.count == 3)
        }
    }

    @Test func oneLongAnswerIsNoSlowReader() throws {
        try TestPhone.run { phone in
            let client = try phone.subscriber()
            for number in 0..<3 {
                let text = String(repeating: "x", count: 400_000)
                try phone.onLoop { $0.publish(.line, ["number": .integer(Int64(number)), "text": .string(text)]) }
                let event = try client.nextEvent(timeout: .seconds(10))
                #expect(event?.fields["text"]?.string?.count == 400_000)
            }
            #expect(try phone.onLoop { $0.statistics.slowReadersDropped } == 0)
        }
    }

    @Test func onlySlowReaderIsDropped() throws {
        try TestPhone.run { phone in
            let slow = try RawSocket(path: phone.path)
            slow.send(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"# + "\n")
            #expect(try slow.receive()?["result"] == [:])
            #expect(try slow.receive()?["params"]?["name"] == "clientReady")
            let quick = try phone.subscriber()
            var published = 0
            while try phone.onLoop({ $0.statistics.slowReadersDropped }) == 0, published < 5_000 {
                let number = published
                try phone.onLoop { $0.publish(.line, ["number": .integer(Int64(number)), "text": Self.ballast]) }
                #expect(try quick.nextEvent(timeout: .seconds(10))?.fields["number"] == .integer(Int64(number)))
                published += 1
            }
            #expect(phone.reports.take() == .slowReaderDropped)
            #expect(try phone.onLoop { $0.statistics.connections } == 1)
            // Data in the kernel still arrives, in order and complete; then the stream ends.
            var received = 0
            while let event = try? slow.receive() {
                #expect(event["params"]?["number"] == .integer(Int64(received)))
                received += 1
            }
            #expect(received < published)
        }
    }

    static let ballast = JSONValue.string(String(repeating: "x", count: 1_000))

    @Test func otherUsersAreRejected() throws {
        var settings = ControlSettings(path: "")
        settings.user = geteuid() + 1
        settings.allowsRoot = false
        try TestPhone.run(settings) { phone in
            #expect { try phone.client().call("ping") } throws: { RefusalTests.code(of: $0) == "peerNotAllowed" }
            #expect(phone.reports.take() == .peerRefused(user: geteuid()))
            let statistics = try phone.onLoop { $0.statistics }
            #expect(statistics.peersRefused == 1)
        }
    }

    @Test func groupMembersAreAccepted() throws {
        var settings = ControlSettings(path: "")
        settings.user = geteuid() + 1
        settings.allowsRoot = false
        settings.group = getegid()
        try TestPhone.run(settings) { phone in
            #expect(try phone.client().call("ping")["version"] == "1.2.3")
            let status = try #require(Workplace.status(of: phone.path))
            #expect(status.st_mode & 0o777 == 0o660)
            #expect(status.st_gid == getegid())
        }
    }
}
