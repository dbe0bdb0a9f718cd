import Base
import Network
import PhoneCore
import Testing

/// The phone's path, from the kernel's survey.
@Suite struct PathChoiceTests {
    private static let everywhere = ["0.0.0.0", "::"]
    private static let home: [UInt8] = [192, 168, 1, 7]
    private static let away: [UInt8] = [10, 8, 0, 2]

    private static func six(_ last: UInt8, isUnique: Bool = false) -> [UInt8] {
        (isUnique ? [0xFD, 7] : [0x20, 1]) + [UInt8](repeating: 0, count: 13) + [last]
    }

    /// A desk phone at its cable, with its usual addresses and routes.
    private static func desk() -> NetworkSurvey {
        var survey = NetworkSurvey()
        survey.links = [
            NetworkLink(index: 1, name: "lo", hardware: 772, isLoopback: true), NetworkLink(index: 2, name: "eth0"),
        ]
        survey.addresses = [
            NetworkAddress(link: 1, bytes: [127, 0, 0, 1], isLocal: true),
            NetworkAddress(link: 2, bytes: home), NetworkAddress(link: 2, bytes: six(1)),
        ]
        survey.routes = [NetworkRoute(link: 2, source: home), NetworkRoute(link: 2, source: six(1))]
        return survey
    }

    private static func path(_ survey: NetworkSurvey, _ listening: [String] = ["0.0.0.0"]) -> NetworkPath {
        PathChoice(listening: listening).path(in: survey)
    }

    @Test func pathUsesKernelSource() {
        let desk = Self.desk()
        #expect(Self.path(desk) == NetworkPath(.wired, addresses: ["192.168.1.7"]))
        #expect(Self.path(desk, ["::"]) == NetworkPath(.wired, addresses: ["2001::1"]))
        #expect(Self.path(desk, Self.everywhere) == NetworkPath(.wired, addresses: ["192.168.1.7", "2001::1"]))
    }

    @Test func withoutCarrierThereIsNoPath() {
        var desk = Self.desk()
        desk.links[1].isRunning = false
        #expect(Self.path(desk, Self.everywhere) == .none)
    }

    @Test func changesBesidePathChangeNothing() {
        var desk = Self.desk()
        let before = Self.path(desk, Self.everywhere)
        desk.links += [
            NetworkLink(index: 3, name: "docker0", driver: "bridge"), NetworkLink(index: 4, name: "wlan0"),
        ]
        desk.addresses += [
            NetworkAddress(link: 3, bytes: [172, 17, 0, 1]), NetworkAddress(link: 4, bytes: Self.away),
            NetworkAddress(link: 2, bytes: Self.six(2), isSecondary: true),
            NetworkAddress(link: 2, bytes: [192, 168, 1, 8], isSecondary: true),
        ]
        #expect(Self.path(desk, Self.everywhere) == before)
    }

    /// The kernel sends from another temporary address once the old one is deprecated (RFC 8981 §3.4).
    @Test func pathFollowsKernelSource() {
        var desk = Self.desk()
        desk.addresses += [
            NetworkAddress(link: 2, bytes: Self.six(2), isSecondary: true, isDeprecated: true),
            NetworkAddress(link: 2, bytes: Self.six(3), isSecondary: true),
        ]
        desk.routes[1] = NetworkRoute(link: 2, source: Self.six(3))
        #expect(Self.path(desk, ["::"]).addresses == ["2001::3"])
    }

    @Test func tentativeAddressIsNotUsed() {
        var desk = Self.desk()
        desk.addresses[2].isReady = false
        #expect(Self.path(desk, ["::"]) == .none)
        #expect(Self.path(desk, Self.everywhere).addresses == ["192.168.1.7"])
    }

    /// A global and a unique local address of the same link are two sources.
    @Test func eachKindOfDestinationHasSource() {
        var desk = Self.desk()
        desk.addresses.append(NetworkAddress(link: 2, bytes: Self.six(9, isUnique: true)))
        desk.routes.append(NetworkRoute(link: 2, source: Self.six(9, isUnique: true)))
        #expect(Self.path(desk, ["::"]).addresses == ["2001::1", "fd07::9"])
        // Where the kernel chooses one for both, it is listed once.
        desk.routes[2] = desk.routes[1]
        #expect(Self.path(desk, ["::"]).addresses == ["2001::1"])
    }

    @Test func withoutRouteEveryDeviceAddressCounts() {
        var desk = Self.desk()
        desk.routes = []
        desk.links.append(NetworkLink(index: 3, name: "docker0", driver: "bridge"))
        desk.links.append(NetworkLink(index: 4, name: "wlan0", device: "wlan"))
        desk.addresses += [
            NetworkAddress(link: 3, bytes: [172, 17, 0, 1]), NetworkAddress(link: 4, bytes: Self.away),
            NetworkAddress(link: 2, bytes: [169, 254, 1, 1], isLocal: true),
        ]
        #expect(Self.path(desk) == NetworkPath(.wired, addresses: ["192.168.1.7", "10.8.0.2"]))
        desk.links[1].isRunning = false
        #expect(Self.path(desk) == NetworkPath(.wifi, addresses: ["10.8.0.2"]))
        desk.links[3].isRunning = false
        #expect(Self.path(desk) == NetworkPath(.other, addresses: ["172.17.0.1"]))
    }

    /// Two intercoms at one cable, without DHCP.
    @Test func anyPathIsBetterThanNone() {
        var desk = Self.desk()
        desk.routes = []
        desk.addresses[1] = NetworkAddress(link: 2, bytes: [169, 254, 7, 7], isLocal: true)
        desk.addresses[2].isDeprecated = true
        let link = NetworkAddress(link: 2, bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14), isLocal: true)
        desk.addresses.append(link)
        #expect(Self.path(desk) == NetworkPath(.wired, addresses: ["169.254.7.7"]))
        #expect(Self.path(desk, ["::"]) == NetworkPath(.wired, addresses: ["2001::1"]))
        desk.addresses[2].address = link.address
        desk.addresses[2].isLocal = true
        #expect(Self.path(desk, ["::"]) == .none, "IPv6 has a local address on every link")
        desk.links[1].isRunning = false
        #expect(Self.path(desk) == .none)
    }

    /// A new prefix is late. Until then the kernel sends from the old one, and voice continues.
    @Test func deprecatedAddressMayBeSource() {
        var desk = Self.desk()
        desk.addresses[2].isDeprecated = true
        #expect(Self.path(desk, ["::"]).addresses == ["2001::1"])
    }

    /// One family reaches the world, and the other one a neighbour.
    @Test func neighbourOfOtherFamilyCounts() {
        var desk = Self.desk()
        desk.routes.removeLast()
        desk.addresses[2].address = IPAddress(of: Self.six(9, isUnique: true))
        #expect(Self.path(desk, Self.everywhere).addresses == ["192.168.1.7", "fd07::9"])
    }

    @Test func loopbackIsLastResort() {
        var alone = Self.desk()
        alone.routes = []
        alone.links.removeLast()
        alone.addresses.removeLast(2)
        #expect(Self.path(alone) == NetworkPath(.other, addresses: ["127.0.0.1"]))
        #expect(Self.path(alone, ["::"]) == .none)
        var desk = Self.desk()
        desk.routes = []
        desk.links[1].isRunning = false
        #expect(Self.path(desk) == .none, "a desk phone whose cable is out has its loopback as well")
        desk.links[0].isRunning = false
        #expect(Self.path(desk, ["127.0.0.1"]) == .none)
    }

    @Test func boundSocketNeedsItsAddress() {
        var desk = Self.desk()
        #expect(Self.path(desk, ["192.168.1.7"]) == NetworkPath(.wired, addresses: ["192.168.1.7"]))
        #expect(Self.path(desk, ["192.168.1.8"]) == .none)
        #expect(Self.path(desk, ["127.0.0.3"]) == NetworkPath(.other, addresses: ["127.0.0.3"]))
        #expect(
            Self.path(desk, ["192.168.1.7", "::"]) == NetworkPath(.wired, addresses: ["192.168.1.7", "2001::1"]))
        // It stays for bound sockets when the kernel would not use it for new ones.
        desk.addresses[1].isDeprecated = true
        desk.routes = []
        #expect(Self.path(desk, ["192.168.1.7"]).isUp)
        desk.links[1].isRunning = false
        #expect(Self.path(desk, ["192.168.1.7"]) == .none)
    }

    struct Named: CustomTestStringConvertible {
        let testDescription: String
        let link: NetworkLink
        let kind: NetworkPath.Kind
    }

    /// Beside each there is a cable (2), a radio (3), and a bridge (8) on a bond (7) of the cable.
    @Test(arguments: [
        Named(testDescription: "cable", link: .init(index: 9, name: "end0"), kind: .wired),
        Named(testDescription: "radio", link: .init(index: 9, name: "wlp3s0", device: "wlan"), kind: .wifi),
        Named(testDescription: "modem", link: .init(index: 9, name: "wwan0", device: "wwan"), kind: .cellular),
        Named(
            testDescription: "PPP", link: .init(index: 9, name: "ppp0", hardware: 512, driver: "ppp"), kind: .cellular),
        Named(testDescription: "raw IP", link: .init(index: 9, name: "rmnet0", hardware: 519), kind: .cellular),
        Named(
            testDescription: "VPN", link: .init(index: 9, name: "wg0", hardware: 65_534, driver: "wireguard"),
            kind: .other),
        Named(testDescription: "container", link: .init(index: 9, name: "eth0", driver: "veth"), kind: .wired),
        Named(
            testDescription: "VLAN of a cable", link: .init(index: 9, name: "v", driver: "vlan", parent: 2),
            kind: .wired),
        Named(
            testDescription: "VLAN of a radio", link: .init(index: 9, name: "v", driver: "vlan", parent: 3), kind: .wifi
        ),
        Named(
            testDescription: "VLAN of nothing", link: .init(index: 9, name: "v", driver: "vlan", parent: 77),
            kind: .other),
        Named(
            testDescription: "VLAN of itself", link: .init(index: 9, name: "v", driver: "vlan", parent: 9), kind: .other
        ),
        Named(
            testDescription: "VLAN of a bridge", link: .init(index: 9, name: "v", driver: "vlan", parent: 8),
            kind: .wired),
        Named(
            testDescription: "bridge without ports", link: .init(index: 9, name: "b", driver: "bridge"), kind: .other),
    ])
    func linkKindsAreKnown(_ named: Named) {
        var survey = NetworkSurvey()
        survey.links = [
            NetworkLink(index: 2, name: "eth0", master: 7), NetworkLink(index: 3, name: "wlan0", device: "wlan"),
            NetworkLink(index: 5, name: "veth1", driver: "veth", master: 9),
            NetworkLink(index: 7, name: "bond0", driver: "bond", master: 8),
            NetworkLink(index: 8, name: "br0", driver: "bridge"), named.link,
        ]
        survey.addresses = [NetworkAddress(link: 9, bytes: Self.home)]
        survey.routes = [NetworkRoute(link: 9, source: Self.home)]
        #expect(Self.path(survey).kind == named.kind)
    }
}
