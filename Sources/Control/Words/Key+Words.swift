import PhoneCore

extension Key {
    /// Every key there is, for reading its name back.
    private static let all: [Key] =
        DialSymbol.allCases.map(Key.digit) + [.hold, .mute, .speaker, .headset, .redial, .volumeUp, .volumeDown]

    var name: String {
        switch self {
        case .digit(let symbol): String(symbol.character)
        case .hold: "hold"
        case .mute: "mute"
        case .speaker: "speaker"
        case .headset: "headset"
        case .redial: "redial"
        case .volumeUp: "volumeUp"
        case .volumeDown: "volumeDown"
        }
    }

    init?(name: String) {
        guard let key = Self.all.first(where: { $0.name == name }) else { return nil }
        self = key
    }
}
