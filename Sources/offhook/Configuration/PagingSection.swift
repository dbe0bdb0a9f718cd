import Base
import Media
import PhoneCore
import YAML

/// The groups whose pages the phone receives and sends. Without this section there are no pages.
struct PagingSection: YAMLReadable {
    let route: Route
    /// In order of priority, highest first.
    let groups: [PageGroupSection]

    init(from section: inout YAMLSection) throws(YAMLError) {
        route = try section.optional("route", .choice(), usual: MediaSettings(devices: [:]).pageRoute)
        let count = 1...MediaSettings.PageGroup.limit
        groups = try section.required("groups", .list(of: .section(), count: count))
        for (index, group) in groups.enumerated() where groups[..<index].contains(where: { $0.place == group.place }) {
            throw section.error("groups", "\(group.place) appears twice")
        }
    }

    var policy: PagingPolicy { PagingPolicy(groups: groups.map(\.policy)) }
}

/// One group of pages.
struct PageGroupSection: YAMLReadable {
    /// The payload type of Opus pages, which no standard assigns. The phone uses the same in calls.
    private static let opusPayloadType: UInt8 = 111
    /// By default a page stays in its own network.
    private static let usualHops: UInt8 = 1
    private static let usualLongest = Duration.seconds(60)

    let media: MediaSettings.PageGroup
    let policy: PagingPolicy.Group

    /// The destination of the group's pages.
    var place: String { "\(media.address), port \(media.port)" }

    init(from section: inout YAMLSection) throws(YAMLError) {
        let address = try section.required("address", .groupAddress())
        let port = try section.required("port", .integer(in: 1_024...65_535) as YAMLShape<UInt16>)
        var media = MediaSettings.PageGroup(address: address, port: port)
        let codec = try section.optional("codec", .choice()) as AudioCodec?
        let type = try section.optional("payload_type", .integer(in: 96...127)) as UInt8?
        if let codec {
            let assigned = media.codecs.first { $0.value == codec }?.key
            media.codecs = [assigned ?? type ?? Self.opusPayloadType: codec]
        }
        guard type == nil || codec == .opus else {
            throw section.error("payload_type", "only opus needs a payload type; the other codecs have fixed ones")
        }
        media.longestHeard =
            try section.optional(
                "longest_heard", .duration(in: .seconds(1) ... .seconds(3_600)), usual: media.longestHeard)
        media.sources = try section.optional("sources", .list(of: .numericAddress(), count: 1...16)) ?? []
        let (sending, longest) = try Self.sending(&section, media.codecs)
        media.sending = sending
        let label = try section.optional("label", .text("a name for people", length: 1...64))
        policy = PagingPolicy.Group(
            label: label ?? address,
            interruptsCalls: try section.optional("interrupts_calls", .bool(), usual: false),
            isEmergency: try section.optional("emergency", .bool(), usual: false),
            longestSent: longest)
        self.media = media
    }

    /// How the phone sends pages to the group, and their longest duration. Nil: it sends none.
    private static func sending(
        _ section: inout YAMLSection, _ codecs: [UInt8: AudioCodec]
    ) throws(YAMLError) -> (MediaSettings.PageGroup.Sending?, Duration?) {
        let isWanted = try section.optional("send", .bool(), usual: false)
        let longest = try section.optional("longest", .duration(in: .seconds(1) ... .seconds(3_600)))
        let hops = try section.optional("hops", .integer(in: 1...255)) as UInt8?
        guard isWanted else {
            if longest != nil {
                throw section.error(
                    "longest", "needs \"send: true\", because the phone sends nothing to the group otherwise")
            }
            if hops != nil {
                throw section.error(
                    "hops", "needs \"send: true\", because the phone sends nothing to the group otherwise")
            }
            return (nil, nil)
        }
        // A group without a configured codec gets the one that every phone supports.
        let codec = codecs.count == 1 ? codecs.first : nil
        let sending = MediaSettings.PageGroup.Sending(
            codec: codec?.value ?? .pcmu, payloadType: codec?.key ?? 0, hops: hops ?? usualHops)
        return (sending, longest ?? usualLongest)
    }
}

extension YAMLShape where Value == String {
    /// A multicast address.
    fileprivate static func groupAddress() -> YAMLShape {
        .scalar(
            "a multicast address with more than link scope, such as 239.255.1.1 or \"ff05::1\"",
            example: "239.255.1.1"
        ) { text in
            MediaSettings.PageGroup.isGroup(text) ? text : nil
        }
    }
}
