import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Calls whose phone moves to another address")
struct MovingTests {
    private static let elsewhere = "198.51.100.7"
    private let elsewhere = Self.elsewhere
    /// Each line knows where the other one may turn up.
    private static let listed = LineConfiguration.Accepts.listed([
        World.endpoint(0).host, World.endpoint(1).host, elsewhere,
    ])

    /// A call that is up; one of its lines has just got another address.
    private func moved(_ line: Int = 0, seed: UInt64 = 1) -> Calls {
        var calls = Calls(seed: seed, accepts: Self.listed)
        calls.connect()
        calls.world.move(line, to: elsewhere)
        return calls
    }

    @Test("the far end follows, whichever end moves, and finds the phone again to send BYE", arguments: [0, 1])
    func follows(line: Int) throws {
        var calls = moved(line)
        let (mover, other) = line == 0 ? (calls.caller, calls.called) : (calls.called, calls.caller)
        let before = try #require(calls.world.agreed(line, mover))
        calls.world.command(line, .move(mover))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(line, mover) == [before])
        let terms = try #require(calls.world.renegotiated(1 - line, other).last)
        #expect(terms.remote == PacketAddress(host: elsewhere, port: line == 0 ? 4_000 : 5_000))
        #expect(terms.protection == calls.world.agreed(1 - line, other)?.protection)
        calls.world.command(1 - line, .end(other))
        calls.world.run(.seconds(1))
        #expect(calls.world.ends(line, mover) == [.hungUpThere])
        #expect(calls.world.ends(1 - line, other) == [.hungUpHere])
    }

    @Test("a far end that is held stays held, and is resumed at the new address")
    func keepsHold() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        calls.world.move(0, to: elsewhere)
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.renegotiated(1, calls.called).map(\.heldByFarEnd) == [true, true])
        calls.world.command(0, .hold(calls.caller, false))
        calls.world.run(.seconds(1))
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
        #expect(calls.world.renegotiated(1, calls.called).last?.heldByFarEnd == false)
    }

    @Test("whichever datagram of a move is lost, the call moves", arguments: 1...8)
    func everyMessageLostOnce(number: Int) {
        var calls = moved()
        calls.world.losing = [calls.world.sent + number]
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.seconds(40))
        #expect(calls.world.moves(0, calls.caller).map { $0 != nil } == [true])
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    /// The hold of the end that stays looks for the other one where it was, unless the move was quicker.
    @Test("one moves and holds while the other holds, on a network that reorders: all is settled", arguments: 0..<40)
    func glare(seed: UInt64) {
        var calls = Calls(seed: seed, accepts: Self.listed)
        calls.connect()
        calls.world.weather = .init(duplicatePercent: 20, delayMilliseconds: 300)
        let legs = [calls.caller, calls.called]
        let (mover, other) = (Int(seed % 2), 1 - Int(seed % 2))
        calls.world.move(mover, to: elsewhere)
        calls.world.command(mover, .move(legs[mover]))
        calls.world.command(mover, .hold(legs[mover], seed.isMultiple(of: 3)))
        calls.world.run(.milliseconds(Int64(seed) * 25))
        calls.world.command(other, .hold(legs[other], true))
        calls.world.run(.seconds(60))
        #expect(calls.world.moves(mover, legs[mover]).map { $0 != nil } == [true])
        #expect(calls.world.settled(mover, legs[mover]).map { $0 != nil } == [true])
        #expect(calls.world.settled(other, legs[other]).count == 1)
        #expect(calls.world.renegotiated(other, legs[other]).last?.remote.host == elsewhere)
        #expect(calls.world.ends(0, legs[0]).isEmpty && calls.world.ends(1, legs[1]).isEmpty)
        // Both know the same of who holds whom.
        calls.world.command(other, .hold(legs[other], true))
        calls.world.run(.seconds(5))
        #expect(calls.world.settled(other, legs[other]).last??.holds(heldBack: seed.isMultiple(of: 3)) == true)
    }

    @Test("a move and a hold that are wished for together go in one offer")
    func oneOffer() {
        var calls = moved()
        let before = calls.world.sent
        // The way has not been found yet when the second wish comes.
        calls.world.isLocating = false
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.command(0, .move(calls.caller))
        calls.world.isLocating = true
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
        // INVITE, 200, ACK.
        #expect(calls.world.sent - before == 3)
    }

    @Test("a hold whose path died is repeated with the move, within a moment", arguments: [0.1, 3, 20, 31.8])
    func holdUnderWay(seconds: Double) {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(seconds))
        calls.world.move(0, to: elsewhere)
        calls.world.losesOldPaths = true
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.renegotiated(1, calls.called).map(\.heldByFarEnd) == [true])
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
        // The one that was given up ends nothing, and nobody repeats it.
        let offers = calls.world.requests(.invite).count
        calls.world.run(.seconds(70))
        #expect(calls.world.requests(.invite).count == offers)
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("a hold that the far end heard, but whose answer found no way, is no obstacle", arguments: [0, 1])
    func answerLost(line: Int) {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        let (mover, other) = line == 0 ? (calls.caller, calls.called) : (calls.called, calls.caller)
        calls.world.losing = [calls.world.sent + 2, calls.world.sent + 3, calls.world.sent + 4]
        calls.world.command(line, .hold(mover, true))
        calls.world.run(.milliseconds(200))
        #expect(calls.world.renegotiated(1 - line, other).map(\.heldByFarEnd) == [true])
        calls.world.move(line, to: elsewhere)
        calls.world.losesOldPaths = true
        calls.world.losing = []
        calls.world.command(line, .move(mover))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(line, mover).map(\.?.direction) == [.sendonly])
        #expect(calls.world.settled(line, mover).map(\.?.direction) == [.sendonly])
        #expect(calls.world.renegotiated(1 - line, other).last?.remote.host == elsewhere)
        calls.world.run(.seconds(70))
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("a move whose path died, too, is repeated over the next one")
    func movedTwice() {
        let third = "198.51.100.8"
        var calls = Calls(accepts: .listed([World.endpoint(0).host, World.endpoint(1).host, elsewhere, third]))
        calls.connect()
        calls.world.losesOldPaths = true
        calls.world.move(0, to: elsewhere)
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.seconds(10))
        calls.world.move(0, to: third)
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(0, calls.caller).map { $0 != nil } == [true], "one answer for both")
        #expect(calls.world.renegotiated(1, calls.called).map(\.remote.host) == [third])
    }

    @Test("an offer that names the new address already is sent again at once, and is the move")
    func pathIsBack() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.move(0, to: elsewhere)
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(20))
        calls.world.weather.lossPercent = 0
        let offers = calls.world.requests(.invite)
        calls.world.command(0, .move(calls.caller))
        #expect(calls.world.moves(0, calls.caller).isEmpty, "one change at a time")
        calls.world.run(.milliseconds(100))
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.requests(.invite).count == offers.count + 1)
        #expect(calls.world.requests(.invite).last?.request == offers.last?.request, "the same transaction")
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
    }

    @Test("a hold of the far end whose ACK found no way is no obstacle, and ends nothing", arguments: [0, 1])
    func acknowledgementLost(line: Int) {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        let (mover, other) = line == 0 ? (calls.caller, calls.called) : (calls.called, calls.caller)
        calls.world.losing = Set(calls.world.sent + 3...calls.world.sent + 9)
        calls.world.command(1 - line, .hold(other, true))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.settled(1 - line, other).map(\.?.direction) == [.sendonly])
        calls.world.losing = []
        calls.world.losesOldPaths = true
        calls.world.move(line, to: elsewhere)
        calls.world.command(line, .move(mover))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(line, mover).map(\.?.heldByFarEnd) == [true])
        #expect(calls.world.renegotiated(1 - line, other).last?.remote.host == elsewhere)
        calls.world.run(.seconds(70))
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("an ACK that comes while the move is out settles nothing of it")
    func acknowledgementLate() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.weather.delayMilliseconds = 1
        calls.world.losing = [calls.world.sent + 3]
        calls.world.command(1, .hold(calls.called, true))
        calls.world.run(.milliseconds(490))
        // The 2xx is repeated, and its ACK crosses the move.
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(0, calls.caller).map(\.?.heldByFarEnd) == [true])
        calls.world.run(.seconds(70))
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("a refresh of the session whose path died does not keep the call from moving")
    func refreshUnderWay() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.run(.seconds(850))
        calls.world.weather.lossPercent = 100
        calls.runUntil(within: .seconds(120)) { !$0.requests(.update).isEmpty }
        calls.world.run(.seconds(3))
        calls.world.move(0, to: elsewhere)
        calls.world.losesOldPaths = true
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendrecv])
        let updates = calls.world.requests(.update).count
        calls.world.run(.seconds(7_200))
        #expect(calls.world.requests(.update).count > updates, "it is refreshed on")
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("while a hold is out a move without a way looks for one each second")
    func noWayBesideAHold() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.losesOldPaths = true
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        calls.world.move(0, to: nil)
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.seconds(8))
        #expect(calls.world.moves(0, calls.caller).isEmpty && calls.world.settled(0, calls.caller).isEmpty)
        calls.world.move(0, to: elsewhere)
        calls.world.weather.lossPercent = 0
        calls.world.run(.seconds(1.1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
    }

    @Test("a far end that stays silent after a hold and a move has not left the call")
    func unansweredHold() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(20))
        calls.world.move(0, to: elsewhere)
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.seconds(33))
        #expect(calls.world.moves(0, calls.caller).map { $0 == nil } == [true])
        #expect(calls.world.settled(0, calls.caller).map { $0 == nil } == [true])
        #expect(calls.world.ends(0, calls.caller).isEmpty)
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).last??.direction == .sendrecv)
        #expect(calls.world.settled(0, calls.caller).last??.direction == .sendonly)
    }

    @Test("a hold that comes while the move is out follows it")
    func holdAfterMove() {
        var calls = moved()
        calls.world.command(0, .move(calls.caller))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendrecv])
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.renegotiated(1, calls.called).map(\.heldByFarEnd) == [false, true])
    }

    @Test("a far end that is silent leaves the call standing, for the phone to decide")
    func silence() {
        var calls = moved()
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.seconds(33))
        #expect(calls.world.moves(0, calls.caller).map { $0 == nil } == [true])
        #expect(calls.world.ends(0, calls.caller).isEmpty)
        // Back on the network it may be tried again.
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).last?.map(\.direction) == .sendrecv)
    }

    @Test("without a way a hold fails, a move waits for the way, and the call stands")
    func noWay() {
        var calls = moved()
        calls.world.move(0, to: nil)
        calls.world.command(0, .move(calls.caller))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(20))
        #expect(calls.world.moves(0, calls.caller).isEmpty && calls.world.ends(0, calls.caller).isEmpty)
        #expect(calls.world.settled(0, calls.caller).map { $0 == nil } == [true])
        calls.world.move(0, to: elsewhere)
        calls.world.run(.seconds(1.1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendrecv])
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
    }

    @Test("a call that is not up yet cannot move, and an unknown one says nothing")
    func tooEarly() {
        var calls = Calls(accepts: Self.listed)
        calls.invite()
        calls.world.run(.seconds(1))
        calls.world.command(0, .move(calls.caller))
        calls.world.command(1, .move(calls.called))
        calls.world.command(0, .move(LegID(.local, 77)))
        #expect(calls.world.moves(0, calls.caller).map { $0 == nil } == [true])
        #expect(calls.world.moves(1, calls.called).map { $0 == nil } == [true])
        #expect(calls.world.moves(0, LegID(.local, 77)).isEmpty)
    }
}

extension NegotiatedMedia {
    /// Whether we hold the far end, and it holds us or not.
    fileprivate func holds(heldBack: Bool) -> Bool {
        direction == (heldBack ? .inactive : .sendonly) && heldByFarEnd == heldBack
    }
}

extension World {
    /// How each move of the leg was settled.
    func moves(_ line: Int, _ leg: LegID) -> [NegotiatedMedia?] {
        outputs(line).compactMap { if case .moved(leg, let agreed) = $0 { .some(agreed) } else { nil } }
    }
}
