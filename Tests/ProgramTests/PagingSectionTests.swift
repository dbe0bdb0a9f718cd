import Foundation
import Media
import PhoneCore
import Testing
import offhook

/// The groups of pages in the configuration.
@Suite struct PagingSectionTests {
    private static func settings(_ paging: String, devices: [String] = ["handset", "speaker"]) throws -> Settings {
        let sound = devices.map { "  \($0): { capture: in, playback: out }\n" }.joined()
        return try Settings("board: board.yaml\nsound:\n\(sound)\(paging)\n", path: "/phone/offhook.yaml")
    }

    private static func policy(_ settings: Settings) throws -> PagingPolicy? {
        try settings.policy(accounts: AccountLabels([]), keys: []).paging
    }

    @Test func withoutSectionNoPageIsHeard() throws {
        let settings = try Self.settings("")
        #expect(settings.media.pages.isEmpty)
        #expect(try Self.policy(settings) == nil)
    }

    @Test func groupsKeepTheirOrder() throws {
        let settings = try Self.settings(
            """
            paging:
              route: handset
              groups:
                - { address: 239.1.1.1, port: 5000, label: fire, interrupts_calls: true, emergency: true }
                - { address: "ff05::1", port: 5002, codec: opus, payload_type: 96 }
                - { address: 239.1.1.1, port: 5002, codec: g722 }
                - { address: 239.1.1.1, port: 5004, codec: opus }
            """)
        #expect(
            settings.media.pages == [
                .init(address: "239.1.1.1", port: 5_000, codecs: [0: .pcmu, 8: .pcma, 9: .g722]),
                .init(address: "ff05::1", port: 5_002, codecs: [96: .opus]),
                .init(address: "239.1.1.1", port: 5_002, codecs: [9: .g722]),
                .init(address: "239.1.1.1", port: 5_004, codecs: [111: .opus]),
            ])
        #expect(settings.media.pageRoute == .handset)
        let groups: [PagingPolicy.Group] = [
            .init(label: "fire", interruptsCalls: true, isEmergency: true), .init(label: "ff05::1"),
            .init(label: "239.1.1.1"), .init(label: "239.1.1.1"),
        ]
        #expect(try Self.policy(settings) == PagingPolicy(groups: groups))
    }

    @Test func groupsMayAllowSending() throws {
        let settings = try Self.settings(
            """
            paging:
              groups:
                - { address: 239.1.1.1, port: 5000, label: all, send: true }
                - { address: 239.1.1.2, port: 5000, label: hall, codec: opus, send: true, longest: 20 s, hops: 4 }
                - { address: 239.1.1.3, port: 5000, label: yard, send: false }
            """)
        #expect(
            settings.media.pages.map(\.sending) == [
                .init(codec: .pcmu, payloadType: 0, hops: 1), .init(codec: .opus, payloadType: 111, hops: 4), nil,
            ])
        let limits = try Self.policy(settings)?.groups.map(\.longestSent)
        #expect(limits == [.seconds(60), .seconds(20), nil])
    }

    static let mistakes: [(text: String, message: String)] = [
        ("paging: {}", "5:9: paging: missing key \"groups\""),
        ("paging: { groups: [] }", "5:19: paging.groups: expected a list of 1 to 16"),
        (
            "paging:\n  groups:\n    - { address: 192.0.2.1, port: 5000 }",
            "7:18: paging.groups[1].address: expected a multicast address with more "
                + "than link scope, such as 239.255.1.1 or \"ff05::1\", "
                + "found \"192.0.2.1\""
        ),
        (
            "paging: { groups: [{ address: \"ff02::1\", port: 5000 }] }",
            "paging.groups[1].address: expected a multicast address"
        ),
        (
            "paging: { groups: [{ address: 239.1.1.1, port: 80 }] }",
            "paging.groups[1].port: expected a whole number from 1024 to 65535, found \"80\""
        ),
        (
            "paging: { groups: [{ address: 239.1.1.1, port: 5000, codec: gsm }] }",
            "paging.groups[1].codec: expected opus, g722, pcma or pcmu, found \"gsm\""
        ),
        (
            "paging: { groups: [{ address: 239.1.1.1, port: 5000, payload_type: 96 }] }",
            "paging.groups[1].payload_type: only opus needs a payload type"
        ),
        (
            "paging: { groups: [{ address: 239.1.1.1, port: 5000 }, { address: 239.1.1.1, port: 5000, label: b }] }",
            "paging.groups: 239.1.1.1, port 5000 appears twice"
        ),
        (
            "paging: { groups: [{ address: 239.1.1.1, port: 5000, longest: 20 s }] }",
            "paging.groups[1].longest: needs \"send: true\""
        ),
        (
            "paging: { groups: [{ address: 239.1.1.1, port: 5000, send: false, hops: 2 }] }",
            "paging.groups[1].hops: needs \"send: true\""
        ),
        (
            "paging: { groups: [{ address: 239.1.1.1, port: 5000, send: true, hops: 0 }] }",
            "paging.groups[1].hops: expected a whole number from 1 to 255, found \"0\""
        ),
        (
            "paging: { route: headset, groups: [{ address: 239.1.1.1, port: 5000 }] }",
            "paging: route: sound.headset is missing"
        ),
    ]

    @Test(arguments: mistakes) func mistakesAreReportedByNameAndLine(text: String, message: String) {
        #expect {
            try Self.settings(text)
        } throws: { error in
            "\(error)".contains(message)
        }
    }
}
