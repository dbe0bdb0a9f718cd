import Base
import ICECore
import Testing

@Suite("Preference of local addresses")
struct PreferenceTests {
    private func priorities(_ hosts: [String]) -> [UInt32] {
        let sockets = hosts.enumerated().map { place, host in
            HostSocket(SocketID(rawValue: place), World.endpoint(host, 4_000))
        }
        return Duel(sockets: sockets).agent.localCandidates.map(\.priority)
    }

    @Test("the address families alternate, whichever comes first")
    func addressFamiliesAlternateWhicheverComesFirst() {
        let mixed = priorities(["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1", "192.0.2.2"])
        let order = mixed.indices.sorted { mixed[$0] > mixed[$1] }
        #expect(order == [0, 3, 1, 4, 2])
        let other = priorities(["192.0.2.1", "2001:db8::1", "192.0.2.2"])
        #expect(other.indices.sorted { other[$0] > other[$1] } == [0, 1, 2])
    }

    @Test("no two candidates share a priority, and related ones share a foundation")
    func noTwoCandidatesSharePriorityAndRelatedOnesShareFoundation() {
        let hosts = (1...8).map { "192.0.2.\($0)" }
        #expect(Set(priorities(hosts)).count == 8)
        #expect(priorities(["192.0.2.1"]) == [126 << 24 | 65_535 << 8 | 255])
        var world = World(seed: 1)
        world.addPhone(.portRestricted, role: .controlling)
        world.handle(.gather(world.phones[0].sockets), 0)
        world.run(for: .seconds(10))
        let candidates = world.phones[0].agent.localCandidates
        #expect(candidates.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.host, .relayed, .serverReflexive])
        #expect(Set(candidates.map(\.priority)).count == 3 && Set(candidates.map(\.foundation)).count == 3)
        #expect(candidates.allSatisfy { ($0.related == nil) == ($0.kind == .host) })
    }
}
