extension Key {
    /// Every key with the name by which board files, the control interface and its clients call it.
    public static let names: [(name: String, key: Key)] =
        DialSymbol.allCases.map { (String($0.character), .digit($0)) } + [
            ("hold", .hold), ("mute", .mute), ("speaker", .speaker), ("headset", .headset), ("redial", .redial),
            ("volume-up", .volumeUp), ("volume-down", .volumeDown),
        ]

    public init?(name: String) {
        guard let key = Self.names.first(where: { $0.name == name })?.key else { return nil }
        self = key
    }

    public var name: String {
        switch self {
        case .digit(let symbol): String(symbol.character)
        case .hold: "hold"
        case .mute: "mute"
        case .speaker: "speaker"
        case .headset: "headset"
        case .redial: "redial"
        case .volumeUp: "volume-up"
        case .volumeDown: "volume-down"
        }
    }
}
