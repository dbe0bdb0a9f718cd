import CALSA

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
