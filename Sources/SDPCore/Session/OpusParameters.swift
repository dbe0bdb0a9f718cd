/// The wishes of an Opus receiver, as stated in its `a=fmtp` (RFC 7587 §6.1).
public struct OpusParameters: Equatable, Sendable {
    public static let bitrates = 6_000...510_000

    /// Bits per second. Nil: the receiver's default.
    public var maximumBitrate: Int?
    public var usesFEC = false
    public var usesDTX = false
    /// The shortest packet that the receiver wants, in milliseconds.
    public var minimumPacketMilliseconds = 3

    public init() {}

    /// Reads the known parameters and ignores others (RFC 7587 §7).
    public init(formatParameters text: Substring) {
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let name = pair[0].filter { $0 != " " }.lowercased()
            guard let number = Int(pair[1].filter { $0 != " " }) else { continue }
            switch name {
            case "useinbandfec": usesFEC = number == 1
            case "usedtx": usesDTX = number == 1
            case "minptime": minimumPacketMilliseconds = min(max(number, 3), 120)
            case "maxaveragebitrate":
                maximumBitrate = min(max(number, Self.bitrates.lowerBound), Self.bitrates.upperBound)
            default: break
            }
        }
    }

    public var formatParameters: String {
        var parts = ["minptime=\(minimumPacketMilliseconds)", "useinbandfec=\(usesFEC ? 1 : 0)"]
        if usesDTX { parts.append("usedtx=1") }
        if let maximumBitrate { parts.append("maxaveragebitrate=\(maximumBitrate)") }
        return parts.joined(separator: ";")
    }
}
