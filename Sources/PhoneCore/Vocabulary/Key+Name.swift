extension Key {
    private static let plain: [(name: String, key: Key)] = [
        ("hold", .hold), ("mute", .mute), ("speaker", .speaker), ("headset", .headset), ("redial", .redial),
        ("volume-up", .volumeUp), ("volume-down", .volumeDown), ("flash", .flash), ("transfer", .transfer),
        ("conference", .conference), ("do-not-disturb", .doNotDisturb), ("voicemail", .voicemail),
    ]

    /// Every key with the name by which board files, the control interface and its clients call it.
    public static let names: [(name: String, key: Key)] =
        DTMFSymbol.allCases.map { (String($0.character), .digit($0)) } + plain
        + lineKeys.map { ("line-\($0)", .line($0)) } + speedDials.map { ("speed-\($0)", .speedDial($0)) }
        + pages.map { ("page-\($0)", .page($0)) }

    public init?(name: String) {
        guard let key = Self.names.first(where: { $0.name == name })?.key else { return nil }
        self = key
    }

    public var name: String { Self.names.first { $0.key == self }?.name ?? "\(self)" }
}
