import Base
import JSON
import Testing
import VertoCore

extension Line {
    /// A line that is ready, with nothing in its logs.
    static func ready(_ dialect: VertoDialect = .telnyx, seed: UInt64 = 7) throws -> Line {
        var line = Line(dialect, seed: seed)
        line.post(.connect)
        try line.logIn()
        #expect(line.session.state == .ready)
        line.clear()
        return line
    }

    /// The steps from an open socket to a line that is ready.
    mutating func logIn(reattached: [VertoCallID] = []) throws {
        let socket = try #require(socket)
        post(.opened(socket))
        let login = try #require(sent.last { $0["method"] == "login" })
        try answer("login", ["message": "logged in", "sessid": login["params"]?["sessid"] ?? nil])
        server("clientReady", ["reattached_sessions": .array(reattached.map { .string($0.rawValue) })])
        if dialect == .telnyx { try answer("gatewayState", ["params": ["state": "REGED"]]) }
    }

    /// The socket is gone; the line has another one, and the server knows the session.
    mutating func loseAndReturn(reattached: [VertoCallID]) throws {
        post(.closed(try #require(socket)))
        try runUntilConnecting()
        try logIn(reattached: reattached)
    }

    /// An active dialled call.
    mutating func talk(_ name: String = "out") throws -> VertoCallID {
        let call = try #require(VertoCallID(name))
        post(call, .invite(VertoInvitation("+4930123", sdp: "offer")))
        try answer("invite", ["message": "CALL CREATED", "callID": .string(name)])
        server("answer", ["callID": .string(name), "sdp": "answer"])
        clear()
        return call
    }

    /// A ringing call to us.
    mutating func ring(_ name: String = "in") throws -> VertoCallID {
        server("invite", ["callID": .string(name), "sdp": "their offer", "caller_id_number": "+4940"])
        clear()
        return try #require(VertoCallID(name))
    }
}

extension JSONValue {
    /// The same value without its random members.
    func without(_ names: String...) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for name in names { members[name] = nil }
        return .object(members)
    }
}
