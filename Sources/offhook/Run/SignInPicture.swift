import QRCode
import Synchronization

/// Makes the QR code of a sign-in's address once, however often programs ask for it. Only one sign-in waits at a time,
/// so it keeps only the last code. From any thread.
package final class SignInPicture: Sendable {
    private let kept = Mutex<(address: String, rows: [String]?)?>(nil)
    private let encode: @Sendable (String) -> [String]?

    /// - Parameter encode: Makes the code; nil: it cannot be made.
    package init(encode: @escaping @Sendable (String) -> [String]? = SignInPicture.modules) { self.encode = encode }

    /// The rows of the code's modules; nil if it cannot be made. That is remembered, too: the library may be missing.
    package func rows(_ address: String) -> [String]? {
        kept.withLock { kept in
            if let kept, kept.address == address { return kept.rows }
            let rows = encode(address)
            kept = (address, rows)
            return rows
        }
    }

    /// `#` is dark, and a space is light. The lowest correction gives the smallest code, for a terminal with few lines.
    package static func modules(_ address: String) -> [String]? {
        guard let code = try? QRCode(address: address, correction: .low) else { return nil }
        return code.rows.map { row in String(row.map { $0 == "1" ? "#" : " " }) }
    }
}
