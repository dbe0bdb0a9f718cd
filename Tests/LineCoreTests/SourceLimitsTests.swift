import Base
import LineCore
import SIPCore
import Testing

@Suite("Read limits by source")
struct SourceLimitsTests {
    /// How many messages are read of so many per second.
    private func admitted(
        _ limits: inout SourceLimits, _ hosts: [String], perSecond rate: Int, seconds: Int,
        _ acquaintance: SourceLimits.Acquaintance = .stranger
    ) -> Int {
        (0..<seconds * rate).count { number in
            let now = Instant.zero + .nanoseconds(Int64(number) * 1_000_000_000 / Int64(rate))
            return limits.admits(.init(hosts[number % hosts.count], 5_060), acquaintance, at: now)
        }
    }

    @Test("a stranger at 5,000 messages a second is read ten times a second, one at five always")
    func strangerAt5000MessagesSecondIsReadTenTimesSecond() {
        var limits = SourceLimits(key: 1)
        #expect((125...131).contains(admitted(&limits, ["198.51.100.1"], perSecond: 5_000, seconds: 10)))
        limits = SourceLimits(key: 1)
        #expect(admitted(&limits, ["198.51.100.1"], perSecond: 5, seconds: 60) == 300)
    }

    @Test("all strangers share a total limit, whatever addresses they forge", arguments: 1...4)
    func allStrangersShareTotalLimitWhateverAddressesTheyForge(key: UInt64) {
        var limits = SourceLimits(key: key)
        let hosts = (0..<10_000).map { "10.0.\($0 / 256).\($0 % 256)" }
        let read = admitted(&limits, hosts, perSecond: 10_000, seconds: 10)
        #expect((590...602).contains(read))
    }

    @Test("a flood from one source does not limit another, nor a known peer", arguments: 1...4)
    func floodFromOneSourceDoesNotLimitAnotherNorKnownPeer(key: UInt64) {
        var limits = SourceLimits(key: key)
        var (quiet, friend) = (0, 0)
        for number in 0..<50_000 {
            let now = Instant.zero + .microseconds(200 * number)
            _ = limits.admits(.init("198.51.100.1", 5_060), .stranger, at: now)
            // Another program on the server's machine.
            _ = limits.admits(.init("192.0.2.100", 40_000), .host, at: now)
            if number.isMultiple(of: 1_000), limits.admits(.init("203.0.113.77", 5_060), .stranger, at: now) {
                quiet += 1
            }
            if number.isMultiple(of: 10), limits.admits(.init("192.0.2.100", 5_060), .friend, at: now) { friend += 1 }
        }
        #expect(quiet == 50 && friend == 5_000)
    }

    @Test("even a known peer has a limit, which no honest one reaches")
    func evenKnownPeerHasLimitWhichNoHonestOneReaches() {
        var limits = SourceLimits(key: 1)
        let read = admitted(&limits, ["192.0.2.100"], perSecond: 50_000, seconds: 2, .friend)
        #expect((3_990...4_002).contains(read))
    }

    @Test("the burst is restored after a pause")
    func burstIsRestoredAfterPause() {
        var limits = SourceLimits(key: 1)
        func burst(at second: Int) -> Int {
            (0..<1_000).count { _ in
                limits.admits(.init("198.51.100.1", 5_060), .stranger, at: .zero + .seconds(second))
            }
        }
        #expect([burst(at: 0), burst(at: 1), burst(at: 60)] == [30, 10, 30])
    }

    @Test("a line knows its server, listed peers, callees and callers, each by port")
    func lineKnowsItsServerListedPeersCalleesAndCallersEachByPort() {
        func known(_ world: World, _ line: Int, _ host: String, _ port: UInt16 = 5_060) -> SourceLimits.Acquaintance {
            world.lines[line].acquaintance(with: .init(host, port))
        }
        var world = World.registered()
        #expect(known(world, 0, World.serverEndpoint.host) == .friend)
        #expect(
            known(world, 0, World.serverEndpoint.host, 5_061) == .host && known(world, 0, "203.0.113.9") == .stranger)
        world.add(Calls.direct("bob", accepts: .listed(["198.51.100.5"])))
        #expect(known(world, 1, "198.51.100.5") == .host && known(world, 1, "203.0.113.9") == .stranger)
        let leg = CallID(.phone, 1)
        world.command(1, .dial(leg, target: "sip:x@203.0.113.9:5070", account: .direct, MediaEndpoint(port: 4_000)))
        #expect(known(world, 1, "203.0.113.9", 5_070) == .friend && known(world, 1, "203.0.113.9") == .host)
        world.command(1, .end(leg))
        world.run(.seconds(60))
        #expect(known(world, 1, "203.0.113.9", 5_070) == .stranger)
        var calls = Calls()
        calls.connect()
        let hosts = (World.endpoint(0).host, World.endpoint(1).host)
        #expect(known(calls.world, 0, hosts.1) == .friend && known(calls.world, 1, hosts.0) == .friend)
        calls.world.command(0, .end(calls.caller))
        calls.world.run(.seconds(60))
        #expect(known(calls.world, 0, hosts.1) == .stranger && known(calls.world, 1, hosts.0) == .stranger)
    }
}
