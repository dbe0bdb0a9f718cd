import QRCode

/// The protocol of a display: its bytes, and the pauses that it needs.
protocol DisplayController: Sendable {
    /// The bytes for a display that was just powered on, in order. Each part is one transfer, followed by its pause.
    func start() -> [DisplayTransfer]
    /// Writes characters into one row, from a column on.
    /// - Parameter text: It fits into the row.
    func write(_ text: ArraySlice<Character>, row: Int, column: Int) -> [DisplayTransfer]
    /// The columns of text that are left beside a QR code. Nil: the display is too small for this code, or has no dots.
    func columns(beside code: QRCode) -> Int?
    /// Draws a code that fits, or clears its place.
    func draw(_ code: QRCode?) -> [DisplayTransfer]
    /// Switches the display off.
    func stop() -> [DisplayTransfer]
}

package struct DisplayTransfer: Equatable, Sendable {
    package let bytes: [UInt8]
    /// How long the display needs afterwards.
    package let pause: Duration

    init(_ bytes: [UInt8], pause: Duration = .zero) { (self.bytes, self.pause) = (bytes, pause) }

    /// Cuts bytes into transfers, each with the same first byte.
    static func parts(of bytes: [UInt8], behind first: UInt8) -> [DisplayTransfer] {
        stride(from: 0, to: bytes.count, by: 32).map {
            DisplayTransfer([first] + bytes[$0..<min($0 + 32, bytes.count)])
        }
    }
}
