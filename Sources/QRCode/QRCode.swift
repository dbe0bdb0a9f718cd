import CQRencode
import Glibc

/// A QR code (ISO/IEC 18004) of a short text, such as the address of a sign-in. libqrencode makes it.
public struct QRCode: Equatable, Sendable {
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// libqrencode cannot be loaded.
        case library(String)
        /// The text is longer than a code that a telephone's camera reads from a small display.
        case tooLong
        case encoder(String)

        public var description: String {
            switch self {
            case .library(let why): "\(why); install \(QRCode.package)"
            case .tooLong: "the text is too long for a QR code"
            case .encoder(let why): why
            }
        }
    }

    /// How much of the code may be damaged.
    public enum Correction: Sendable {
        /// 7 %: the smallest code, for a display with few dots.
        case low
        /// 15 %.
        case medium
    }

    /// The Debian package that has the library.
    public static let package = "libqrencode4"
    /// The most bytes of a text.
    public static let longest = 512
    /// The white modules that a code needs on each side (§9.1 of the standard).
    public static let margin = 4

    /// Modules of a side: 21, 25, 29, …
    public let width: Int
    private let modules: [Bool]

    /// Encodes a text, up to its first zero byte. Loads the library.
    public init(_ text: String, correction: Correction = .medium) throws(Failure) {
        guard (1...Self.longest).contains(text.utf8.count) else { throw .tooLong }
        var library = cqrencode()
        if let why = unsafe cqrencode_load(&library) { throw .library(unsafe String(cString: why)) }
        let level = correction == .low ? CQRENCODE_LEVEL_L : CQRENCODE_LEVEL_M
        guard let code = unsafe library.encodeString(text, 0, level, CQRENCODE_MODE_8, 1) else {
            throw .encoder(unsafe String(cString: strerror(errno)))
        }
        defer { unsafe library.free(code) }
        let width = Int(unsafe code.pointee.width)
        self.width = width
        modules = (0..<width * width).map { place in unsafe code.pointee.data[place] & 1 == 1 }
    }

    /// Encodes a web address. Scheme and host become upper case, which means the same (RFC 3986 §6.2.2.1) and needs
    /// fewer modules.
    public init(address: String, correction: Correction = .medium) throws(Failure) {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let isWeb = parts.count >= 3 && parts[1].isEmpty && !parts[2].contains("@")
        let server = parts.prefix(3).joined(separator: "/")
        try self.init(
            isWeb ? server.uppercased() + address.dropFirst(server.count) : address, correction: correction)
    }

    /// Whether a module is black. Everything around the code is white.
    public func isBlack(row: Int, column: Int) -> Bool {
        (0..<width).contains(row) && (0..<width).contains(column) && modules[row * width + column]
    }

    /// One text per row: `1` is a black module, and `0` a white one. Without a margin.
    public var rows: [String] {
        (0..<width).map { row in String((0..<width).map { isBlack(row: row, column: $0) ? "1" : "0" }) }
    }
}
