import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Moves on the wire")
struct MovingWireTests {
    private let stranger = Stranger()
    private let leg = CallID(.phone, 1)

    /// A call to the stranger, who answered. Since then our address changed, and we report it.
    private func moving() throws -> (world: World, first: SIPRequest, second: SIPRequest) {
        var (world, first) = try World.callingStranger()
        world.receive(stranger.success(to: first, tag: "s", body: Stranger.answer).bytes, from: stranger)
        world.move(0, to: "198.51.100.7")
        world.command(0, .move(leg, nil))
        world.run(.milliseconds(100))
        let second = try #require(world.caughtRequests.last)
        return (world, first, second)
    }

    @Test("Via, Contact and session address change; Call-ID, tags, keys, port and session name do not")
    func viaContactAndSessionAddressChangeCallIDTagsKeys() throws {
        let (_, first, second) = try moving()
        #expect(second.method == .invite && second.uri.text == "sip:s@203.0.113.9:5060")
        #expect(try second.headers.topVia.host == "198.51.100.7")
        #expect(second.headers[.contact] == "<sip:alice@198.51.100.7:5060>")
        #expect(second.headers[.from] == first.headers[.from])
        #expect(second.headers[.callID] == first.headers[.callID])
        #expect(try second.headers.cSeq.number == first.headers.cSeq.number + 1)
        let (before, after) = try (SessionDescription(parsing: first.body), SessionDescription(parsing: second.body))
        #expect(after.host == "198.51.100.7")
        // RFC 3264 §8: the o= line is the same except for its version.
        #expect(after.origin.host == before.origin.host && after.origin.sessionID == before.origin.sessionID)
        #expect(after.origin.version == before.origin.version + 1)
        #expect(after.media[0].port == 4_000)
        #expect(before.media[0].values(of: "crypto").contains(try #require(after.media[0].values(of: "crypto").first)))
    }

    @Test("a refusal leaves the dialog unchanged", arguments: [488, 408, 403, 500])
    func refusalLeavesDialogUnchanged(status: Int) throws {
        var (world, _, second) = try moving()
        world.receiveElsewhere(second.response(SIPStatus(status)).bytes, from: stranger)
        #expect(world.moves(0, leg).map { $0 == nil } == [true])
        #expect(world.ends(0, leg).isEmpty)
        world.command(0, .end(leg))
        world.run(.milliseconds(100))
        let bye = try #require(world.caughtRequests.last)
        #expect(bye.method == .bye)
        #expect(try bye.headers.cSeq.number == second.headers.cSeq.number + 1)
    }

    @Test("a far end that answers 481 has left the call")
    func farEndThatAnswers481HasLeftCall() throws {
        var (world, _, second) = try moving()
        world.receiveElsewhere(second.response(.callDoesNotExist).bytes, from: stranger)
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    @Test("glare is waited out, and the next offer is a new one")
    func glareIsWaitedOutAndNextOfferIsNewOne() throws {
        var (world, _, second) = try moving()
        world.receiveElsewhere(second.response(.requestPending).bytes, from: stranger)
        #expect(world.moves(0, leg).isEmpty)
        // We own the Call-ID: 2.1 to 4 s (RFC 3261 §14.1).
        world.run(.seconds(1.9))
        #expect(world.caughtRequests.last { $0.method == .invite } == second)
        world.run(.seconds(2.1))
        let third = try #require(world.caughtRequests.last { $0.method == .invite })
        #expect(try third.headers.cSeq.number == second.headers.cSeq.number + 1)
        world.receiveElsewhere(stranger.success(to: third, tag: "s", body: Stranger.answer).bytes, from: stranger)
        #expect(world.moves(0, leg).map { $0 != nil } == [true])
    }

    /// Our hold to the stranger is pending when our address changes.
    private func movingWithAHold() throws -> (world: World, hold: SIPRequest, both: SIPRequest) {
        var (world, first) = try World.callingStranger()
        world.receive(stranger.success(to: first, tag: "s", body: Stranger.answer).bytes, from: stranger)
        world.losesOldPaths = true
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        let hold = try #require(world.caughtRequests.last)
        world.move(0, to: "198.51.100.7")
        world.command(0, .move(leg, nil))
        world.run(.milliseconds(100))
        return (world, hold, try #require(world.caughtRequests.last))
    }

    @Test("an offer whose path is gone is followed by a new transaction with the next version")
    func superseded() throws {
        let (world, hold, both) = try movingWithAHold()
        #expect(hold.method == .invite && both.method == .invite)
        #expect(try both.headers.cSeq.number == hold.headers.cSeq.number + 1)
        #expect(try both.headers.topVia.branch != hold.headers.topVia.branch)
        #expect(both.headers[.contact] == "<sip:alice@198.51.100.7:5060>")
        let (before, after) = try (SessionDescription(parsing: hold.body), SessionDescription(parsing: both.body))
        #expect(after.host == "198.51.100.7" && after.origin.version == before.origin.version + 1)
        #expect(String(decoding: both.body, as: UTF8.self).contains("a=sendonly"))
        #expect(world.moves(0, leg).isEmpty)
    }

    @Test("a late 2xx to the first offer is acknowledged each time and settles nothing")
    func late2xxToFirstOfferIsAcknowledgedEachTimeAndSettlesNothing() throws {
        var (world, hold, both) = try movingWithAHold()
        for times in 1...2 {
            let late = stranger.success(to: hold, tag: "s", body: Stranger.answer)
            world.tell(0, .received(late.bytes, Flow(.udp, local: World.endpoint(0), remote: stranger.endpoint)))
            world.run(.milliseconds(100))
            let acks = world.caughtRequests.filter { $0.method == .ack }
            #expect(try acks.count { try $0.headers.cSeq.number == hold.headers.cSeq.number } == times)
        }
        #expect(world.moves(0, leg).isEmpty && world.settled(0, leg).isEmpty)
        world.receiveElsewhere(stranger.success(to: both, tag: "s", body: Stranger.answer).bytes, from: stranger)
        #expect(world.moves(0, leg).map { $0 != nil } == [true])
        #expect(world.settled(0, leg).map { $0 != nil } == [true])
    }

    @Test("a late failure of the first offer is ignored", arguments: [488, 481, 491])
    func lateFailureOfFirstOfferIsIgnored(status: Int) throws {
        var (world, hold, both) = try movingWithAHold()
        let late = hold.response(SIPStatus(status)).bytes
        world.tell(0, .received(late, Flow(.udp, local: World.endpoint(0), remote: stranger.endpoint)))
        world.run(.milliseconds(100))
        #expect(world.moves(0, leg).isEmpty && world.settled(0, leg).isEmpty && world.ends(0, leg).isEmpty)
        world.receiveElsewhere(stranger.success(to: both, tag: "s", body: Stranger.answer).bytes, from: stranger)
        #expect(world.moves(0, leg).map { $0 != nil } == [true])
    }

    @Test("an answer from another far end settles nothing")
    func answerFromAnotherFarEndSettlesNothing() throws {
        var (world, _, second) = try moving()
        var forged = stranger.success(to: second, tag: "s", body: Stranger.answer)
        forged.headers[.to] = "<sip:x@203.0.113.9>;tag=other"
        world.receiveElsewhere(forged.bytes, from: stranger)
        #expect(world.moves(0, leg).isEmpty)
    }
}

extension World {
    /// Gives a message of a stranger to the first line, wherever it is.
    mutating func receiveElsewhere(_ bytes: [UInt8], from stranger: Stranger) {
        guard let place = place(of: 0) else { return }
        carry(bytes, from: stranger.endpoint, to: place)
        run(.milliseconds(100))
    }
}
