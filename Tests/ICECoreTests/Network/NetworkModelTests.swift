import Base
import ICECore
import Testing

@Suite("The NATs that agents are tested with")
struct NetworkModelTests {
    private let inside = World.endpoint("192.168.1.2", 4_000)
    private let peers = ["192.0.2.1", "192.0.2.2"].flatMap { host in
        [UInt16(1), 2].map { World.endpoint(host, $0) }
    }

    private func nat(_ behaviour: NATBehaviour) -> NAT {
        NAT(behaviour, address: World.endpoint("198.51.100.1", 0).address, outside: Internet.publicRealm)
    }

    @Test(
        "mappings depend on the configured fields",
        arguments: [
            (NATBehaviour.fullCone, 1), (.portRestricted, 1), (.addressDependent, 2), (.symmetric, 4),
        ])
    func mappingsDependOnConfiguredFields(_ behaviour: NATBehaviour, _ count: Int) {
        var (nat, generator) = (nat(behaviour), SeededGenerator(seed: 1))
        let outside = peers.map { nat.outbound(inside, to: $0, at: .zero, using: &generator) }
        #expect(Set(outside).count == count && !outside.contains(nil))
        let again = peers.map { nat.outbound(inside, to: $0, at: .zero, using: &generator) }
        #expect(again == outside)
    }

    @Test(
        "filters admit the right packets",
        arguments: [
            (NATBehaviour.fullCone, [true, true, true, true]), (.restricted, [true, true, false, false]),
            (.portRestricted, [true, false, false, false]), (.symmetric, [true, false, false, false]),
            (.firewall, [true, false, false, false]), (.noUDP, [false, false, false, false]),
        ])
    func filtersAdmitRightPackets(_ behaviour: NATBehaviour, _ passes: [Bool]) {
        var (nat, generator) = (nat(behaviour), SeededGenerator(seed: 1))
        let outside = nat.outbound(inside, to: peers[0], at: .zero, using: &generator) ?? inside
        let passed = peers.map { nat.inbound($0, to: outside, at: .zero) == inside }
        #expect(passed == passes)
        let later = Instant.zero + behaviour.lifetime + .seconds(1)
        let passedLater = peers.compactMap { nat.inbound($0, to: outside, at: later) }
        #expect(passedLater.isEmpty)
    }
}
