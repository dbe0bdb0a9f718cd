/// An SSD1306 by its datasheet: commands set its window, data fills it.
struct SimulatedOLED {
    private(set) var dots = [[UInt8]](repeating: [UInt8](repeating: 0xAA, count: 128), count: 8)
    private(set) var isOn = false
    private(set) var rowsOfDots = 0
    private var columns = 0...127
    private var pages = 0...7
    private var place = (column: 0, page: 0)
    private(set) var faults = 0

    mutating func take(_ transfer: [UInt8]) {
        switch transfer.first {
        case 0x00: commands(Array(transfer.dropFirst()))
        case 0x40: for byte in transfer.dropFirst() { write(byte) }
        default: faults += 1
        }
    }

    private mutating func write(_ byte: UInt8) {
        dots[place.page][place.column] = byte
        place.column += 1
        if place.column > columns.upperBound { place = (columns.lowerBound, place.page + 1) }
        if place.page > pages.upperBound { place.page = pages.lowerBound }
    }

    private mutating func commands(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let command = rest.popFirst() {
            switch command {
            case 0xAE, 0xAF: isOn = command == 0xAF
            case 0x21:
                columns = Int(rest.removeFirst())...Int(rest.removeFirst())
                place.column = columns.lowerBound
            case 0x22:
                pages = Int(rest.removeFirst())...Int(rest.removeFirst())
                place.page = pages.lowerBound
            case 0xA8: rowsOfDots = Int(rest.removeFirst()) + 1
            case 0x20, 0x81, 0x8D, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB: rest.removeFirst()
            case 0x40...0x7F, 0xA0, 0xA1, 0xA4, 0xA6, 0xC0, 0xC8: break
            default: faults += 1
            }
        }
    }

    /// The picture, a character for each dot.
    var picture: [String] {
        (0..<rowsOfDots).map { y in
            (0..<128).map { x in dots[y / 8][x] >> (y % 8) & 1 == 1 ? "#" : "." }.joined()
        }
    }
}
