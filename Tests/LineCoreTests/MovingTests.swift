import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Calls of a moving phone")
struct MovingTests {
    private static let elsewhere = "198.51.100.7"
    private let elsewhere = Self.elsewhere
    /// Each line knows where the other one may appear.
    private static let listed = LineConfiguration.Accepts.listed([
        World.endpoint(0).host, World.endpoint(1).host, elsewhere,
    ])

    /// An active call; one of its lines has just got another address.
    private func moved(_ line: Int = 0, seed: UInt64 = 1) -> Calls {
        var calls = Calls(seed: seed, accepts: Self.listed)
        calls.connect()
        calls.world.move(line, to: elsewhere)
        return calls
    }

    @Test("the far end follows either end's move, and its BYE finds the phone", arguments: [0, 1])
    func farEndFollowsEitherEndMoveAndItsBYEFindsPhone(line: Int) throws {
        var calls = moved(line)
        let (mover, other) = line == 0 ? (calls.caller, calls.called) : (calls.called, calls.caller)
        let before = try #require(calls.world.agreed(line, mover))
        calls.world.command(line, .move(mover, nil))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(line, mover) == [before])
        let terms = try #require(calls.world.renegotiated(1 - line, other).last)
        #expect(terms.remote == MediaAddress(host: elsewhere, port: line == 0 ? 4_000 : 5_000))
        #expect(terms.protection == calls.world.agreed(1 - line, other)?.protection)
        calls.world.command(1 - line, .end(other))
        calls.world.run(.seconds(1))
        #expect(calls.world.ends(line, mover) == [.hungUpThere])
        #expect(calls.world.ends(1 - line, other) == [.hungUpHere])
    }

    @Test("a held far end stays held, and is resumed at the new address")
    func heldFarEndStaysHeldAndIsResumedAtNewAddress() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        calls.world.move(0, to: elsewhere)
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.heldByFarEnd(1, calls.called) == [true, true])
        calls.world.command(0, .hold(calls.caller, false))
        calls.world.run(.seconds(1))
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
        #expect(calls.world.heldByFarEnd(1, calls.called).last == false)
    }

    @Test("a move succeeds although any one datagram is lost", arguments: 1...8)
    func moveSucceedsAlthoughAnyOneDatagramIsLost(number: Int) {
        var calls = moved()
        calls.world.losing = [calls.world.sent + number]
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.seconds(40))
        #expect(calls.world.moves(0, calls.caller).map { $0 != nil } == [true])
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    /// The hold of the end that stays goes to the old address, unless the move was quicker.
    @Test("a move with hold and a crossing hold are settled on a reordering network", arguments: 0..<40)
    func moveWithHoldAndCrossingHoldAreSettledOnReorderingNetwork(seed: UInt64) {
        var calls = Calls(seed: seed, accepts: Self.listed)
        calls.connect()
        calls.world.weather = .init(duplicatePercent: 20, delayMilliseconds: 300)
        let legs = [calls.caller, calls.called]
        let (mover, other) = (Int(seed % 2), 1 - Int(seed % 2))
        calls.world.move(mover, to: elsewhere)
        calls.world.command(mover, .move(legs[mover], nil))
        calls.world.command(mover, .hold(legs[mover], seed.isMultiple(of: 3)))
        calls.world.run(.milliseconds(Int64(seed) * 25))
        calls.world.command(other, .hold(legs[other], true))
        calls.world.run(.seconds(60))
        #expect(calls.world.moves(mover, legs[mover]).map { $0 != nil } == [true])
        #expect(calls.world.settled(mover, legs[mover]).map { $0 != nil } == [true])
        #expect(calls.world.settled(other, legs[other]).count == 1)
        #expect(calls.world.renegotiated(other, legs[other]).last?.remote.host == elsewhere)
        #expect(calls.world.ends(0, legs[0]).isEmpty && calls.world.ends(1, legs[1]).isEmpty)
        // Both ends agree on the holds.
        calls.world.command(other, .hold(legs[other], true))
        calls.world.run(.seconds(5))
        #expect(calls.world.settled(other, legs[other]).last??.holds(heldBack: seed.isMultiple(of: 3)) == true)
    }

    @Test("a move and a hold requested together share one offer")
    func moveAndHoldRequestedTogetherShareOneOffer() {
        var calls = moved()
        let before = calls.world.sent
        // The path is not found yet when the second request comes.
        calls.world.isLocating = false
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.isLocating = true
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
        // INVITE, 200, ACK.
        #expect(calls.world.sent - before == 3)
    }

    @Test("a hold whose path died is repeated with the move at once", arguments: [0.1, 3, 20, 31.8])
    func holdWhosePathDiedIsRepeatedWithMoveAtOnce(seconds: Double) {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(seconds))
        calls.world.move(0, to: elsewhere)
        calls.world.losesOldPaths = true
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.heldByFarEnd(1, calls.called) == [true])
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
        // The abandoned one ends nothing and is not repeated.
        let offers = calls.world.requests(.invite).count
        calls.world.run(.seconds(70))
        #expect(calls.world.requests(.invite).count == offers)
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("a hold whose answer was lost does not block the move", arguments: [0, 1])
    func holdWhoseAnswerWasLostDoesNotBlockMove(line: Int) {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        let (mover, other) = line == 0 ? (calls.caller, calls.called) : (calls.called, calls.caller)
        calls.world.losing = [calls.world.sent + 2, calls.world.sent + 3, calls.world.sent + 4]
        calls.world.command(line, .hold(mover, true))
        calls.world.run(.milliseconds(200))
        #expect(calls.world.heldByFarEnd(1 - line, other) == [true])
        calls.world.move(line, to: elsewhere)
        calls.world.losesOldPaths = true
        calls.world.losing = []
        calls.world.command(line, .move(mover, nil))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(line, mover).map(\.?.direction) == [.sendonly])
        #expect(calls.world.settled(line, mover).map(\.?.direction) == [.sendonly])
        #expect(calls.world.renegotiated(1 - line, other).last?.remote.host == elsewhere)
        calls.world.run(.seconds(70))
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("a move whose path died, too, is repeated over the next path")
    func moveWhosePathDiedTooIsRepeatedOverNextPath() {
        let third = "198.51.100.8"
        var calls = Calls(accepts: .listed([World.endpoint(0).host, World.endpoint(1).host, elsewhere, third]))
        calls.connect()
        calls.world.losesOldPaths = true
        calls.world.move(0, to: elsewhere)
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.seconds(10))
        calls.world.move(0, to: third)
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(0, calls.caller).map { $0 != nil } == [true], "one answer for both")
        #expect(calls.world.renegotiated(1, calls.called).map(\.remote.host) == [third])
    }

    @Test("a pending offer with the new address is sent again at once as the move")
    func pendingOfferWithNewAddressIsSentAgainAtOnceAsMove() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.move(0, to: elsewhere)
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(20))
        calls.world.weather.lossPercent = 0
        let offers = calls.world.requests(.invite)
        calls.world.command(0, .move(calls.caller, nil))
        #expect(calls.world.moves(0, calls.caller).isEmpty, "one change at a time")
        calls.world.run(.milliseconds(100))
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.requests(.invite).count == offers.count + 1)
        #expect(calls.world.requests(.invite).last?.request == offers.last?.request, "the same transaction")
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
    }

    @Test("a far-end hold whose ACK was lost neither blocks the move nor ends the call", arguments: [0, 1])
    func farEndHoldWhoseACKWasLostNeitherBlocksMoveNorEndsCall(line: Int) {
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
        calls.world.command(line, .move(mover, nil))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(line, mover).map(\.?.sends) == [false])
        #expect(calls.world.renegotiated(1 - line, other).last?.remote.host == elsewhere)
        calls.world.run(.seconds(70))
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("an ACK that arrives during the move settles nothing of it")
    func ackThatArrivesDuringMoveSettlesNothingOfIt() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.weather.delayMilliseconds = 1
        calls.world.losing = [calls.world.sent + 3]
        calls.world.command(1, .hold(calls.called, true))
        calls.world.run(.milliseconds(490))
        // The 2xx is repeated, and its ACK crosses the move.
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(0, calls.caller).map(\.?.sends) == [false])
        calls.world.run(.seconds(70))
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("a session refresh whose path died does not block the move")
    func sessionRefreshWhosePathDiedDoesNotBlockMove() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.run(.seconds(850))
        calls.world.weather.lossPercent = 100
        calls.runUntil(within: .seconds(120)) { !$0.requests(.update).isEmpty }
        calls.world.run(.seconds(3))
        calls.world.move(0, to: elsewhere)
        calls.world.losesOldPaths = true
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.milliseconds(100))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendrecv])
        let updates = calls.world.requests(.update).count
        calls.world.run(.seconds(7_200))
        #expect(calls.world.requests(.update).count > updates, "it is refreshed on")
        #expect(calls.world.ends(0, calls.caller).isEmpty && calls.world.ends(1, calls.called).isEmpty)
    }

    @Test("during a hold, a move without a path retries every second")
    func duringHoldMoveWithoutPathRetriesEverySecond() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.losesOldPaths = true
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        calls.world.move(0, to: nil)
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.seconds(8))
        #expect(calls.world.moves(0, calls.caller).isEmpty && calls.world.settled(0, calls.caller).isEmpty)
        calls.world.move(0, to: elsewhere)
        calls.world.weather.lossPercent = 0
        calls.world.run(.seconds(1.1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
    }

    @Test("a far end that is silent after a hold and a move keeps its call")
    func farEndThatIsSilentAfterHoldAndMoveKeepsItsCall() {
        var calls = Calls(accepts: Self.listed)
        calls.connect()
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(20))
        calls.world.move(0, to: elsewhere)
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.seconds(33))
        #expect(calls.world.moves(0, calls.caller).map { $0 == nil } == [true])
        #expect(calls.world.settled(0, calls.caller).map { $0 == nil } == [true])
        #expect(calls.world.ends(0, calls.caller).isEmpty)
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).last??.direction == .sendrecv)
        #expect(calls.world.settled(0, calls.caller).last??.direction == .sendonly)
    }

    @Test("a hold requested during a move follows it")
    func holdRequestedDuringMoveFollowsIt() {
        var calls = moved()
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendrecv])
        #expect(calls.world.settled(0, calls.caller).map(\.?.direction) == [.sendonly])
        #expect(calls.world.heldByFarEnd(1, calls.called) == [false, true])
    }

    @Test("a silent far end leaves the call up; the phone decides")
    func silentFarEndLeavesCallUpPhoneDecides() {
        var calls = moved()
        calls.world.weather.lossPercent = 100
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.seconds(33))
        #expect(calls.world.moves(0, calls.caller).map { $0 == nil } == [true])
        #expect(calls.world.ends(0, calls.caller).isEmpty)
        // Back on the network it may be tried again.
        calls.world.weather.lossPercent = 0
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.run(.seconds(1))
        #expect(calls.world.moves(0, calls.caller).last?.map(\.direction) == .sendrecv)
    }

    @Test("without a path a hold fails, a move waits, and the call stays up")
    func withoutPathHoldFailsMoveWaitsAndCallStaysUp() {
        var calls = moved()
        calls.world.move(0, to: nil)
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(20))
        #expect(calls.world.moves(0, calls.caller).isEmpty && calls.world.ends(0, calls.caller).isEmpty)
        #expect(calls.world.settled(0, calls.caller).map { $0 == nil } == [true])
        calls.world.move(0, to: elsewhere)
        calls.world.run(.seconds(1.1))
        #expect(calls.world.moves(0, calls.caller).map(\.?.direction) == [.sendrecv])
        #expect(calls.world.renegotiated(1, calls.called).last?.remote.host == elsewhere)
    }

    @Test("a call that is not up cannot move, and an unknown one is ignored")
    func callThatIsNotUpCannotMoveAndUnknownOneIsIgnored() {
        var calls = Calls(accepts: Self.listed)
        calls.invite()
        calls.world.run(.seconds(1))
        calls.world.command(0, .move(calls.caller, nil))
        calls.world.command(1, .move(calls.called, nil))
        calls.world.command(0, .move(CallID(.phone, 77), nil))
        #expect(calls.world.moves(0, calls.caller).map { $0 == nil } == [true])
        #expect(calls.world.moves(1, calls.called).map { $0 == nil } == [true])
        #expect(calls.world.moves(0, CallID(.phone, 77)).isEmpty)
    }
}

extension NegotiatedMedia {
    /// Whether we hold the far end, and it holds us or not.
    fileprivate func holds(heldBack: Bool) -> Bool {
        direction == (heldBack ? .inactive : .sendonly)
    }
}

extension World {
    /// The results of the leg's moves.
    func moves(_ line: Int, _ leg: CallID) -> [NegotiatedMedia?] {
        outputs(line).compactMap { if case .event(.moved(leg, let agreed)) = $0 { .some(agreed) } else { nil } }
    }
}
