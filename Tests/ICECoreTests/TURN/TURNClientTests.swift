import Base
import Cryptography
import ICECore
import Testing

@Suite("A client of a TURN server")
struct TURNClientTests {
    @Test("an allocation uses the credentials and gives both addresses")
    func allocationUsesCredentialsAndGivesBothAddresses() throws {
        var ground = TURNGround()
        ground.post(.start)
        let allocation = try #require(ground.server.allocations.first)
        #expect(
            ground.effects == [
                .allocated(
                    TURNAllocation(relayed: allocation.relayed, mapped: TURNGround.client, lifetime: .seconds(600)))
            ])
        #expect(ground.server.requests[TURNMethod.allocate] == 2)
    }

    @Test("packets pass both ways: first in indications, then in a channel")
    func packetsPassBothWaysFirstInIndicationsThenInChannel() {
        var ground = TURNGround()
        ground.post(.start)
        ground.post(.send([1, 2, 3], to: TURNGround.peer))
        #expect(ground.relayed.map(\.bytes) == [[1, 2, 3]] && ground.relayed.first?.destination == TURNGround.peer)
        ground.arrive([4, 5])
        ground.post(.bind(TURNGround.peer))
        ground.arrive([6])
        ground.post(.send([7], to: TURNGround.peer))
        #expect(
            ground.effects.dropFirst() == [
                .received([4, 5], from: TURNGround.peer), .bound(TURNGround.peer, channel: 0x4000),
                .received([6], from: TURNGround.peer),
            ])
        #expect(ground.relayed.last?.bytes == [7] && ground.turn.dropped == 0)
        // A second request for the same channel sends nothing.
        let before = ground.transmissions
        ground.post(.bind(TURNGround.peer))
        #expect(ground.transmissions == before && ground.effects.last == .bound(TURNGround.peer, channel: 0x4000))
    }

    @Test("packets that wait for a permission are sent after it, and their number is bounded")
    func packetsThatWaitForPermissionAreSentAfterIt() {
        var ground = TURNGround()
        ground.post(.start)
        ground.isConnected = false
        for number in 0..<12 { ground.post(.send([UInt8(number)], to: TURNGround.peer)) }
        #expect(ground.relayed.isEmpty && ground.turn.dropped == 4)
        ground.isConnected = true
        ground.run(for: .seconds(1))
        #expect(ground.relayed.map(\.bytes) == (0..<8).map { [UInt8($0)] })
    }

    @Test("allocation, permissions and channels last an hour over stale nonces")
    func allocationPermissionsAndChannelsLastHourOverStaleNonces() {
        var ground = TURNGround()
        ground.post(.start)
        ground.post(.send([1], to: TURNGround.peer))
        ground.post(.bind(TURNGround.peer))
        ground.server.nonceLife = 3
        for minute in 0..<60 {
            ground.run(for: .seconds(60))
            ground.relayed = []
            ground.post(.send([9], to: TURNGround.peer))
            ground.arrive([8])
            #expect(
                ground.relayed.count == 1 && ground.effects.last == .received([8], from: TURNGround.peer), "\(minute)")
        }
        #expect(ground.end == nil)
    }

    @Test("over UDP, a NAT before the server is kept open", arguments: [false, true])
    func overUDPNATBeforeServerIsKeptOpen(isReliable: Bool) {
        var ground = TURNGround(isReliable: isReliable)
        ground.post(.start)
        let before = ground.transmissions
        ground.run(for: .seconds(200))
        #expect(ground.transmissions - before == (isReliable ? 0 : 13))
    }

    @Test("a short lifetime is refreshed at its half", arguments: [UInt32(20), 90, 600])
    func shortLifetimeIsRefreshedAtItsHalf(_ lifetime: UInt32) {
        var ground = TURNGround()
        ground.server.grantedLifetime = lifetime
        ground.post(.start)
        ground.run(for: .seconds(3_000))
        #expect(ground.end == nil && ground.server.allocations.first?.expiresAt ?? .zero > ground.now)
    }

    @Test("close releases the allocation and ends the traffic")
    func closeReleasesAllocationAndEndsTraffic() {
        var ground = TURNGround()
        ground.post(.start)
        ground.post(.close)
        #expect(ground.server.allocations.isEmpty && ground.end == .closed && ground.turn.isEnded)
        #expect(ground.turn.deadline == nil)
        let before = ground.transmissions
        for event: TURNClient.Event in [.start, .send([1], to: TURNGround.peer), .bind(TURNGround.peer), .close] {
            ground.post(event)
        }
        #expect(ground.transmissions == before)
    }

    @Test("a server that does not confirm the release does not delay the end")
    func serverThatDoesNotConfirmReleaseDoesNotDelayEnd() {
        var ground = TURNGround()
        ground.post(.start)
        ground.isConnected = false
        ground.post(.close)
        ground.run(for: .seconds(60))
        #expect(ground.end == .closed)
    }

    @Test(
        "each error has its name",
        arguments: [
            (300, TURNEnd.redirected), (403, .refused(403)), (437, .mismatch), (441, .unauthorized),
            (486, .quotaReached),
            (508, .insufficientCapacity), (442, .refused(442)),
        ])
    func eachErrorHasItsName(_ code: Int, _ end: TURNEnd) {
        var ground = TURNGround()
        ground.server.refusal = code
        ground.post(.start)
        #expect(ground.end == end)
        // Another server that a response may name is not asked. Our possible allocation is released once.
        #expect(ground.server.requests[TURNMethod.allocate] == (code == 437 ? 3 : 2))
        #expect(ground.server.requests[TURNMethod.refresh] == (code == 437 ? 1 : nil))
    }

    @Test("a former client's allocation on its address is released, and it gets its own")
    func formerClientAllocationOnItsAddressIsReleased() throws {
        var ground = TURNGround()
        ground.post(.start)
        let left = try #require(ground.server.allocations.first?.relayed)
        ground.turn = TURNGround(seed: 4).turn
        ground.effects = []
        ground.post(.start)
        #expect(ground.isAllocated && ground.server.allocations.count == 1)
        #expect(ground.server.allocations.first?.relayed != left && ground.server.requests[TURNMethod.refresh] == 1)
    }

    @Test("a closed client releases it as well, and requests nothing more")
    func closedClientReleasesItAsWell() {
        var ground = TURNGround()
        ground.post(.start)
        ground.turn = TURNGround(seed: 4).turn
        (ground.effects, ground.isConnected) = ([], false)
        ground.post(.start)
        ground.post(.close)
        #expect(ground.end == nil)
        ground.isConnected = true
        ground.run(for: .seconds(1))
        #expect(ground.end == .closed && !ground.isAllocated && ground.server.allocations.isEmpty)
        // Each of the two was challenged once.
        #expect(ground.server.requests[TURNMethod.allocate] == 4)
    }

    @Test("wrong credentials end it after one attempt")
    func wrongCredentialsEndItAfterOneAttempt() {
        var ground = TURNGround(credentials: .init(user: "alice", password: Redacted("wrong")))
        ground.post(.start)
        #expect(ground.end == .unauthorized && ground.server.requests[TURNMethod.allocate] == 2)
    }

    @Test("silence ends it in time, before and after the allocation")
    func silenceEndsItInTimeBeforeAndAfterAllocation() {
        var ground = TURNGround()
        ground.isConnected = false
        ground.post(.start)
        ground.run(for: .milliseconds(5_499))
        #expect(ground.end == nil && ground.transmissions == 4)
        ground.run(for: .milliseconds(1))
        #expect(ground.end == .silent)
        var later = TURNGround()
        later.post(.start)
        later.isConnected = false
        later.run(for: .seconds(600))
        #expect(later.end == .silent)
    }

    @Test("a server that lost its state is detected with the next request")
    func serverThatLostItsStateIsDetectedWithNextRequest() {
        var ground = TURNGround()
        ground.post(.start)
        ground.server = STUNTURNServer(TURNGround.server, seed: 9)
        ground.post(.send([1], to: TURNGround.peer))
        #expect(ground.end == .mismatch)
    }

    /// Packets in a channel are not acknowledged.
    private func talk(_ ground: inout TURNGround, for duration: Duration, isHeard: Bool) {
        let end = ground.now + duration
        while ground.now < end, ground.end == nil {
            ground.post(.send([1], to: TURNGround.peer))
            if isHeard { ground.arrive([2]) }
            ground.run(for: .milliseconds(20))
        }
    }

    @Test("during a conversation it is detected within slightly more than two seconds")
    func restartedInACall() {
        var ground = TURNGround()
        ground.post(.start)
        ground.post(.bind(TURNGround.peer))
        talk(&ground, for: .seconds(60), isHeard: true)
        #expect(ground.end == nil && ground.server.requests[TURNMethod.refresh] == nil)
        ground.server = STUNTURNServer(TURNGround.server, seed: 9)
        let began = ground.now
        talk(&ground, for: .seconds(10), isHeard: true)
        #expect(ground.end == .mismatch && ground.now - began <= .milliseconds(2_100), "\(ground.now - began)")
    }

    @Test("a server that is away for a while is asked until it returns")
    func serverThatIsAwayForWhileIsAskedUntilItReturns() {
        var ground = TURNGround()
        ground.post(.start)
        ground.post(.bind(TURNGround.peer))
        ground.isConnected = false
        talk(&ground, for: .seconds(8), isHeard: false)
        #expect(ground.end == nil)
        ground.server = STUNTURNServer(TURNGround.server, seed: 9)
        ground.isConnected = true
        talk(&ground, for: .seconds(10), isHeard: false)
        #expect(ground.end == .mismatch)
    }

    @Test("a silent peer ends nothing, and causes a check of the server every ten seconds at most")
    func silentPeerEndsNothing() {
        var ground = TURNGround()
        ground.post(.start)
        ground.post(.bind(TURNGround.peer))
        talk(&ground, for: .seconds(100), isHeard: false)
        #expect(ground.end == nil && (5...10).contains(ground.server.requests[TURNMethod.refresh] ?? 0))
    }

    @Test("the end of the connection ends it", arguments: [TURNClient.Event.transportLost])
    func endOfConnectionEndsIt(_ event: TURNClient.Event) {
        var ground = TURNGround(isReliable: true)
        ground.post(.start)
        ground.post(event)
        #expect(ground.end == .transportLost && ground.turn.deadline == nil)
    }

    @Test("the tables of peers are bounded")
    func tablesOfPeersAreBounded() {
        var ground = TURNGround()
        ground.post(.start)
        for number in 0..<100 {
            ground.post(.permit(IPAddress(bytes: [10, 0, 0, UInt8(number)]) ?? .unspecified))
            ground.post(.bind(TransportAddress(TURNGround.peer.address, UInt16(1_000 + number))))
        }
        #expect(ground.server.allocations.first?.channels.count == 16)
        // The server forgets unrenewed entries. A channel is a permission, too.
        ground.run(for: .seconds(400))
        let permitted = ground.server.allocations.first?.permissions.values.count { $0 > ground.now }
        #expect(permitted == 64 + 1)
    }

    @Test("a roaming peer is permitted at every address, and the one in use is not forgotten")
    func roamingPeerIsPermittedAtEveryAddress() {
        var ground = TURNGround()
        ground.post(.start)
        ground.post(.send([1], to: TURNGround.peer))
        for number in 0..<200 {
            let place = World.endpoint("10.0.0.\(number)", 5_000)
            ground.post(.permit(place.address))
            ground.post(.send([1], to: TURNGround.peer))
            ground.effects = []
            for source in [place, TURNGround.peer] {
                ground.arrive([2], from: source)
                #expect(ground.effects.last == .received([2], from: source))
            }
        }
    }

    @Test("an IPv6 relay address is requested by its family", arguments: [IPFamily.version4, .version6])
    func iPv6RelayAddressIsRequestedByItsFamily(_ family: IPFamily) throws {
        var client = TURNClient(
            credentials: STUNTURNServer.credentials, isReliable: false, family: family, hashes: .real,
            generator: SeededGenerator(seed: 3))
        guard case .transmit(let bytes)? = client.handle(.start, at: .zero).first else {
            Issue.record("nothing was asked")
            return
        }
        let asked = try STUNMessage(bytes.span).value(AttributeType.requestedAddressFamily)
        #expect(asked == (family == .version6 ? [2, 0, 0, 0] : nil))
    }
}
