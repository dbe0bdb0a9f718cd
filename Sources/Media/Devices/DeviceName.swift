import Base
import CALSA
import Glibc
import Platform

/// A device's name as configurations write it, and its current name in ALSA.
///
/// Two USB headsets of the same model have ids that depend on which one came first. `USB=1-1.2` in a name means the
/// card that is plugged into that port, in the kernel's notation. The rest of the name is in ALSA's notation.
package enum DeviceName {
    /// A stable identity of a card, whatever other cards come and go.
    package enum Card: Hashable, Sendable {
        case id(String)
        /// The card's USB port.
        case port(String)
    }

    private static let key = "USB="
    /// ALSA's devices whose first argument is a card.
    private static let ofCards: Set = [
        "hw", "plughw", "default", "sysdefault", "dmix", "dsnoop", "front", "hdmi", "iec958",
    ]

    /// Asks the kernel each time, because a card may have come, gone or moved. Blocks for a moment.
    /// - Parameter cards: the kernel's folder of sound cards.
    /// - Returns: nil when no card is plugged in there.
    package static func resolve(_ name: String, cards: String = "/sys/class/sound") -> String? {
        guard let (place, range) = place(in: name) else { return name }
        guard let number = (0..<32).first(where: { self.place(ofCard: $0, in: cards) == place }) else { return nil }
        return name[..<range.lowerBound] + "CARD=\(number)" + name[range.upperBound...]
    }

    /// The port into which a card is plugged; nil for a card that is not on USB.
    package static func place(ofCard number: Int, in cards: String = "/sys/class/sound") -> String? {
        guard let device = destination(of: "\(cards)/card\(number)/device") else { return nil }
        // The last part of the path is the interface of a device: `1-1.2:1.0`.
        let name = device.split(separator: "/").last ?? ""
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, USBPort.isOne(parts[0]) else { return nil }
        return String(parts[0])
    }

    /// The card in a name. Nil: the name contains no card, or only a card's number, which may change.
    package static func card(in name: String) -> Card? {
        if let (place, _) = place(in: name) { return .port(place) }
        guard let colon = name.firstIndex(of: ":") else { return nil }
        let first = name[name.index(after: colon)...].prefix { $0 != "," }
        // In names of other devices the first argument is not a card: `plug:handset` names another device.
        let isNamed = first.hasPrefix("CARD=")
        guard isNamed || ofCards.contains(String(name[..<colon])) else { return nil }
        let id = isNamed ? first.dropFirst(5) : first
        let isWord = id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return isWord && Int(id) == nil && !id.isEmpty ? .id(String(id)) : nil
    }

    /// Accepts only a port, because it becomes part of a path and of a name that ALSA parses.
    private static func place(in name: String) -> (place: String, range: Range<String.Index>)? {
        guard let start = name.place(of: key) else { return nil }
        let place = name[start.upperBound...].prefix { $0 != "," }
        return USBPort.isOne(place) ? (String(place), start.lowerBound..<place.endIndex) : nil
    }

    private static func destination(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}

/// The sound cards of this machine.
public enum SoundCardList {
    public struct Card: Equatable, Sendable {
        /// The card's name in a configuration, as in `plughw:CARD=id`. Unlike the card's number, it stays when other
        /// cards come.
        public let id: String
        public let name: String
        /// The long name, which contains where the card is plugged in.
        public let place: String
        /// The USB port, as in `plughw:USB=1-1.2`; nil for a card that has none.
        public let port: String?
        /// The device for both directions that a person chooses: ALSA converts formats that the card lacks.
        public var device: String { "plughw:CARD=\(id)" }
    }

    /// Asks the kernel. A card that disappears during the query is left out.
    public static func all() -> [Card] {
        calsa_silence()
        var cards: [Card] = []
        var number: Int32 = -1
        while unsafe snd_card_next(&number) == 0, number >= 0 {
            if let card = card(number) { cards.append(card) }
        }
        return cards
    }

    private static func card(_ number: Int32) -> Card? {
        var control: OpaquePointer?
        guard unsafe snd_ctl_open(&control, "hw:\(number)", 0) == 0 else { return nil }
        defer { unsafe snd_ctl_close(control) }
        var information: OpaquePointer?
        guard unsafe snd_ctl_card_info_malloc(&information) == 0 else { return nil }
        defer { unsafe snd_ctl_card_info_free(information) }
        guard unsafe snd_ctl_card_info(control, information) == 0,
            let id = unsafe snd_ctl_card_info_get_id(information),
            let name = unsafe snd_ctl_card_info_get_name(information),
            let place = unsafe snd_ctl_card_info_get_longname(information)
        else { return nil }
        return unsafe Card(
            id: String(cString: id), name: String(cString: name), place: String(cString: place),
            port: DeviceName.place(ofCard: Int(number)))
    }
}
