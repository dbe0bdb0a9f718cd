import Base
import Foundation
import Network
import Testing

/// The kernel's messages, parsed.
@Suite struct NetlinkMessageTests {
    private static func messages(_ bytes: [UInt8]) -> [NetlinkMessage] {
        NetlinkFrame.all(in: bytes.span).map { NetlinkMessage($0, in: bytes.span) }
    }

    @Test func linksAreRead() {
        var list = NetlinkBytes()
        list.addLink(1, flags: 0x1_0049, hardware: 772, attributes: [NetlinkBytes.text(3, "lo")])
        list.addLink(2, flags: 0x1_1043, attributes: [NetlinkBytes.text(3, "eth0")])
        // Without a carrier it is up, and not running.
        list.addLink(3, flags: 0x1003, attributes: [NetlinkBytes.text(3, "wlan0")])
        // The kind of a nested attribute may have its upper bits set.
        let info = NetlinkBytes.attribute(18 | 0x8000, NetlinkBytes.text(1, "vlan"))
        list.addLink(
            4, flags: 0x1_1043,
            attributes: [
                NetlinkBytes.text(3, "eth0.20"), NetlinkBytes.attribute(5, NetlinkBytes.number(2 as UInt32)), info,
                NetlinkBytes.attribute(10, NetlinkBytes.number(9 as UInt32)),
            ])
        // A bridge's view of its port does not describe the link.
        list.addLink(2, flags: 0x1_1043, family: 7, attributes: [NetlinkBytes.text(3, "eth0")])
        list.add(3, [0, 0, 0, 0])
        #expect(
            Self.messages(list.bytes) == [
                .link(NetworkLink(index: 1, name: "lo", hardware: 772, isLoopback: true)),
                .link(NetworkLink(index: 2, name: "eth0")),
                .link(NetworkLink(index: 3, name: "wlan0", isRunning: false)),
                .link(NetworkLink(index: 4, name: "eth0.20", driver: "vlan", parent: 2, master: 9)),
                .other, .done,
            ])
    }

    @Test func addressesAreRead() {
        let own: [UInt8] = [10, 77, 0, 1]
        let global: [UInt8] = [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        let local: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        var list = NetlinkBytes()
        // On a point-to-point link, `address` is the peer's.
        list.addAddress(
            2, family: 2, attributes: [NetlinkBytes.attribute(1, [10, 77, 0, 2]), NetlinkBytes.attribute(2, own)])
        list.addAddress(
            2, family: 10, flags: 0x40,
            attributes: [
                NetlinkBytes.attribute(1, global), NetlinkBytes.attribute(8, NetlinkBytes.number(0x61 as UInt32)),
            ])
        list.addAddress(2, family: 10, scope: 253, attributes: [NetlinkBytes.attribute(1, local)])
        list.addAddress(2, family: 2, attributes: [NetlinkBytes.attribute(1, [169, 254, 3, 4])])
        // An address of another length than its family's is invalid.
        list.addAddress(2, family: 10, attributes: [NetlinkBytes.attribute(1, own)])
        #expect(
            Self.messages(list.bytes) == [
                .address(NetworkAddress(link: 2, bytes: own)),
                .address(
                    NetworkAddress(link: 2, bytes: global, isSecondary: true, isReady: false, isDeprecated: true)),
                .address(NetworkAddress(link: 2, bytes: local, isLocal: true)),
                .address(NetworkAddress(link: 2, bytes: [169, 254, 3, 4], isLocal: true)),
                .other,
            ])
    }

    @Test func routeAnswerOrErrorIsRead() {
        let attributes = [
            NetlinkBytes.attribute(4, NetlinkBytes.number(2 as UInt32)), NetlinkBytes.attribute(7, [10, 77, 0, 1]),
        ]
        var answers = NetlinkBytes()
        answers.addRoute(family: 2, attributes: attributes)
        answers.addRoute(family: 2, type: 2, attributes: attributes)
        answers.addRoute(family: 2, attributes: [attributes[0]])
        // ENETUNREACH, and the smallest number, which has no positive counterpart.
        answers.add(2, NetlinkBytes.number(-101 as Int32) + [UInt8](repeating: 0, count: 16))
        answers.add(2, NetlinkBytes.number(Int32.min))
        #expect(
            Self.messages(answers.bytes) == [
                .route(NetworkRoute(link: 2, source: [10, 77, 0, 1])), .other, .other, .refused(code: 101),
                .refused(code: .max),
            ])
    }

    /// Whatever a length claims, nothing outside is read, and earlier parts stay valid.
    @Test(arguments: [0, 1, 15, 17, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
    func falseLengthsAreSafe(_ length: UInt32) {
        var list = NetlinkBytes()
        list.addLink(1, flags: 0x49, attributes: [NetlinkBytes.text(3, "lo")])
        list.add(3, [], length: length)
        #expect(Self.messages(list.bytes).count == 1)
        let liar = NetlinkBytes.number(UInt16(truncatingIfNeeded: length)) + NetlinkBytes.number(3 as UInt16)
        var inner = NetlinkBytes()
        inner.addLink(2, flags: 0x43, attributes: [NetlinkBytes.text(3, "eth0"), liar])
        #expect(Self.messages(inner.bytes) == [.link(NetworkLink(index: 2, name: "eth0"))])
    }

    @Test func everyPrefixOfMessageIsSafe() {
        var list = NetlinkBytes()
        list.addLink(2, flags: 0x43, attributes: [NetlinkBytes.text(3, "eth0")])
        for count in 0..<list.bytes.count {
            #expect(Self.messages(Array(list.bytes.prefix(count))).isEmpty)
            // The header claims that the content is as short as it is.
            var cut = NetlinkBytes()
            cut.add(16, Array(list.bytes.dropFirst(16).prefix(count)))
            #expect(Self.messages(cut.bytes).count == 1)
        }
    }

    @Test func onlyAnswerToOwnRequestCounts() {
        var survey = NetworkSurvey()
        var list = NetlinkBytes()
        list.addLink(2, flags: 0x43, attributes: [NetlinkBytes.text(3, "eth0")])
        list.add(3, [0, 0, 0, 0], sequence: 8)
        let hasEnded = [7, 8].map { survey.take(list.bytes.span, answering: $0, isList: true) }
        #expect(hasEnded == [false, true] && survey.links.count == 1)
        var answer = NetlinkBytes()
        answer.addRoute(
            family: 2,
            attributes: [
                NetlinkBytes.attribute(4, NetlinkBytes.number(2 as UInt32)), NetlinkBytes.attribute(7, [10, 77, 0, 1]),
            ])
        let isAnswered = survey.take(answer.bytes.span, answering: 7, isList: false)
        #expect(isAnswered && survey.routes.count == 1)
    }

    /// A real kernel's survey (Linux 6.18), with a port of a bridge, and addresses of both families.
    @Test func realSurveyIsRead() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Corpus/netlink/survey")
        let bytes = Array(try Data(contentsOf: file))
        var survey = NetworkSurvey()
        let isWhole = survey.take(bytes.span, answering: 7, isList: true)
        #expect(isWhole)
        #expect(survey.links.map(\.name) == ["lo", "far", "eth0", "br0"])
        #expect(survey.links.map(\.isRunning) == [true, true, true, false] && survey.links[1].master == 4)
        #expect(survey.links.map(\.driver) == [nil, "veth", "veth", "bridge"])
        #expect(PathChoice(listening: ["0.0.0.0"]).path(in: survey).addresses == ["192.0.2.7"])
        #expect(PathChoice(listening: ["::"]).path(in: survey).addresses == ["2001:db8::7"])
        #expect(PathChoice(listening: ["10.0.0.1"]).path(in: survey).isUp)
    }

    @Test func requestsAreWrittenForKernel() {
        let route = NetlinkRequest.route(to: IPAddress(of: [192, 0, 2, 1])).bytes(sequence: 0x0102_0304)
        #expect(
            route == [
                36, 0, 0, 0, 26, 0, 1, 0, 4, 3, 2, 1, 0, 0, 0, 0, 2, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 1, 0, 192,
                0,
                2, 1,
            ])
        #expect(NetlinkRequest.addresses.bytes(sequence: 1).prefix(8) == [24, 0, 0, 0, 22, 0, 1, 3])
        #expect(NetlinkRequest.links.bytes(sequence: 1).suffix(8) == [8, 0, 29, 0, 8, 0, 0, 0])
    }
}
