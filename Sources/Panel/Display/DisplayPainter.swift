import Base
import PhoneCore

/// The content that a display shows now, and the bytes to change it. A value type without access to a bus.
package struct DisplayPainter {
    private let controller: any DisplayController
    private let size: DisplaySpec.Size
    /// Nil: the display's content is unknown, because it must be started.
    private var shown: [[Character]]?

    package init(_ spec: DisplaySpec) {
        size = spec.size
        controller =
            switch spec.controller {
            case .hd44780: HD44780(columns: spec.size.columns)
            case .ssd1306: SSD1306(rows: spec.size.rows)
            }
    }

    /// The display, or its power, was lost.
    package mutating func forget() { shown = nil }

    /// - Returns: The bytes to write: only the changed part of each row.
    package mutating func show(_ content: DisplayContent, at now: Instant) -> [DisplayTransfer] {
        let wanted = content.rows(columns: size.columns, count: size.rows, at: now).map(Array.init)
        let blank = Array(repeating: Array(repeating: Character(" "), count: size.columns), count: size.rows)
        let start = shown == nil ? controller.start() : []
        let changes = zip(shown ?? blank, wanted).enumerated().flatMap { row, pair in
            change(from: pair.0, to: pair.1, row: row)
        }
        shown = wanted
        return start + changes
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
