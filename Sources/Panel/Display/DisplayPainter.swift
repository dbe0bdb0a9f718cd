import Base
import PhoneCore
import QRCode

/// The content that a display shows now, and the bytes to change it. A value type without access to a bus.
package struct DisplayPainter {
    private let controller: any DisplayController
    private let size: DisplaySpec.Size
    /// Nil: the display's content is unknown, because it must be started.
    private var shown: [[Character]]?
    /// The address whose code is shown, or would not fit.
    private var address: String?
    private var code: QRCode?

    package init(_ spec: DisplaySpec) {
        size = spec.size
        controller =
            switch spec.controller {
            case .hd44780: HD44780(columns: spec.size.columns)
            case .ssd1306: SSD1306(rows: spec.size.rows)
            }
    }

    /// The display, or its power, was lost.
    package mutating func forget() { (shown, address, code) = (nil, nil, nil) }

    /// - Returns: The bytes to write: only the changed part of each row.
    package mutating func show(_ content: DisplayContent, at now: Instant) -> [DisplayTransfer] {
        let codeChange = change(to: content.address)
        let columns = code.flatMap { controller.columns(beside: $0) } ?? size.columns
        let beside = Array(repeating: Character(" "), count: size.columns - columns)
        let wanted = content.rows(columns: columns, count: size.rows, at: now).map { Array($0) + beside }
        let blank = Array(repeating: Array(repeating: Character(" "), count: size.columns), count: size.rows)
        let start = shown == nil ? controller.start() : []
        let changes = zip(shown ?? blank, wanted).enumerated().flatMap { row, pair in
            change(from: pair.0, to: pair.1, row: row)
        }
        shown = wanted
        // A letter may cover the border of the code's place, so a code is drawn last, and its place is cleared first.
        return start + (code == nil ? codeChange + changes : changes + codeChange)
    }

    /// Without libqrencode, or on a display that is too small, the address stays a text.
    private mutating func change(to new: String?) -> [DisplayTransfer] {
        guard new != address else { return [] }
        let old = code
        let made = new.flatMap { try? QRCode(address: $0, correction: .low) }
        (address, code) = (new, made.flatMap { controller.columns(beside: $0) == nil ? nil : $0 })
        return old == code ? [] : controller.draw(code)
    }

    package func nextChange(of content: DisplayContent, after now: Instant) -> Instant? {
        content.nextChange(count: size.rows, after: now)
    }

    package func stop() -> [DisplayTransfer] { shown == nil ? [] : controller.stop() }

    private func change(from old: [Character], to new: [Character], row: Int) -> [DisplayTransfer] {
        guard let first = new.indices.first(where: { old[$0] != new[$0] }),
            let last = new.indices.last(where: { old[$0] != new[$0] })
        else { return [] }
        return controller.write(new[first...last], row: row, column: first)
    }
}

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
