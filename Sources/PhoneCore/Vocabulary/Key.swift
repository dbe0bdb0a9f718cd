/// A key of the panel, by its function.
public enum Key: Hashable, Codable, Sendable {
    case digit(DTMFSymbol)
    case hold, mute, speaker, headset, redial
    case volumeUp, volumeDown
    /// Does the same as a short tap on the cradle.
    case flash
    case transfer, conference, doNotDisturb, voicemail
    /// One of `Key.lineKeys`, counted from 1: an account, in the configuration's order.
    case line(UInt8)
    /// One of `Key.speedDials`, counted from 1.
    case speedDial(UInt8)
    /// One of `Key.pages`, counted from 1: a group, in the configuration's order. The key begins a page and ends it.
    case page(UInt8)

    public static let lineKeys: ClosedRange<UInt8> = 1...8
    public static let speedDials: ClosedRange<UInt8> = 1...16
    public static let pages: ClosedRange<UInt8> = 1...16
}

public enum HookPosition: Equatable, Codable, Sendable { case onHook, offHook }

/// The device that voice is captured from and played on.
public enum Route: String, CaseIterable, Hashable, Codable, Sendable {
    case handset, speaker, headset, bluetooth

    /// Whether its device comes and goes, and takes the voice when it comes.
    public var isRemovable: Bool { self == .headset || self == .bluetooth }
}
