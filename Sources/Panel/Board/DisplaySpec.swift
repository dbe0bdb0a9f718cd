import YAML

/// A display on an I2C bus, as the board file describes it.
public struct DisplaySpec: YAMLReadable, Equatable {
    public enum Controller: String, CaseIterable, Sendable {
        /// A character display with an HD44780 behind an expander with eight outputs (PCF8574).
        case hd44780
        /// A small OLED of 128 dots in a row.
        case ssd1306
    }

    /// Characters per row, and rows.
    public struct Size: Equatable, Sendable {
        public let columns: Int
        public let rows: Int
    }

    public let controller: Controller
    /// The bus device, such as `/dev/i2c-1`.
    public let bus: String
    /// The 7-bit device address.
    public let address: UInt8
    public let size: Size

    public init(from section: inout YAMLSection) throws(YAMLError) {
        controller = try section.required("controller", .choice())
        bus = try section.required("bus", .text("the path of a bus, such as /dev/i2c-1", length: 1...64))
        address = try section.optional("address", Self.addressShape) ?? controller.usualAddress
        size = try section.optional("size", .choice(controller.sizes)) ?? controller.sizes[0].1
    }

    /// The addresses that are not reserved (I2C-bus specification §3.1.12).
    private static let addressShape = YAMLShape.scalar("an address from 0x08 to 0x77", quotable: false) { text in
        let number = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
        return number.flatMap { (0x08...0x77).contains($0) ? $0 : nil }
    }
}

extension DisplaySpec.Controller {
    fileprivate var usualAddress: UInt8 {
        switch self {
        case .hd44780: 0x27
        case .ssd1306: 0x3C
        }
    }

    /// The sizes under the names printed on the display, in characters or dots. The usual one is the first.
    fileprivate var sizes: [(String, DisplaySpec.Size)] {
        switch self {
        case .hd44780:
            [(16, 2), (16, 4), (20, 2), (20, 4)].map { ("\($0.0)x\($0.1)", .init(columns: $0.0, rows: $0.1)) }
        case .ssd1306: [("128x64", .init(columns: 21, rows: 4)), ("128x32", .init(columns: 21, rows: 2))]
        }
    }
}
