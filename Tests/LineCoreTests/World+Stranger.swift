import LineCore
import SIPCore
import Testing

extension World {
    /// Gives a message of a stranger to the first line, and lets it respond.
    mutating func receive(_ bytes: [UInt8], from stranger: Stranger) {
        carry(bytes, from: stranger.endpoint, to: World.endpoint(0), over: Self.stream(of: bytes))
        run(.milliseconds(100))
    }

    /// Gives the first line as many calls of strangers at once.
    mutating func receiveCallsOfStrangers(_ count: Int) {
        for number in 0..<count {
            let caller = Stranger(callID: "flood-\(number)")
            let invite = caller.request(.invite, branch: "z9hG4bK-\(number)", body: Stranger.body)
            carry(invite.bytes, from: caller.endpoint, to: World.endpoint(0))
        }
        run(.milliseconds(100))
    }

    /// Our connection for a response whose request came over one.
    static func stream(of bytes: [UInt8]) -> Stream? {
        guard case .response(let response)? = try? SIPMessage(bytes.span),
            let via = response.headers[.via]?.uppercased()
        else { return nil }
        return via.hasPrefix("SIP/2.0/TCP") ? Stream(.tcp, opener: .us) : nil
    }

    /// The tag that the first line gave to the stranger's call.
    var tagForStranger: String? {
        caughtMessages.lazy.compactMap { message in
            if case .response(let response) = message, response.status != .trying {
                try? response.headers.to.tag
            } else {
                nil
            }
        }.first
    }

    /// A direct line that called a stranger, who has its INVITE.
    static func callingStranger() throws -> (world: World, invite: SIPRequest) {
        var world = World()
        world.add(Calls.direct("alice"))
        world.command(
            0, .dial(CallID(.phone, 1), target: "sip:x@203.0.113.9", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        return (world, try #require(world.caughtRequests.first))
    }

    /// A direct line that answered a stranger's call, and its tag in that.
    static func called(
        by stranger: Stranger, _ extra: [(SIPHeaderName, String)] = []
    ) throws -> (world: World, tag: String) {
        var world = World()
        world.add(Calls.direct("alice"))
        let tag = try world.answerCall(of: stranger, extra)
        return (world, tag)
    }

    /// The stranger calls the first line, is answered, and acknowledges that.
    ///
    /// - Parameter extra: Additional headers of the INVITE.
    /// - Returns: The line's tag.
    mutating func answerCall(of stranger: Stranger, _ extra: [(SIPHeaderName, String)] = []) throws -> String {
        receive(stranger.request(.invite, body: Stranger.body, extra: extra).bytes, from: stranger)
        command(0, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 4_000), awaitingACK: false))
        run(.milliseconds(100))
        let tag = try #require(tagForStranger)
        receive(stranger.request(.ack, branch: "z9hG4bK-ack", toTag: tag).bytes, from: stranger)
        return tag
    }
}
