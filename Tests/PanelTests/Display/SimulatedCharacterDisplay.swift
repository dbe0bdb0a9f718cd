import Panel

/// An HD44780 of 16 by 2 characters behind an expander, by its datasheet: it reads half a byte as E falls.
struct SimulatedCharacterDisplay {
    private var last: UInt8 = 0
    private var upper: UInt8?
    private var isWide = true
    private var memory = [UInt8](repeating: 0x20, count: 0x68)
    private var address = 0
    private var moves = false
    private(set) var isOn = false
    private(set) var isLit = false
    /// RS has to be stable as E rises.
    private(set) var breaches = 0

    mutating func take(_ transfer: [UInt8]) { for byte in transfer { output(byte) } }

    /// The rows as their character codes.
    func rows(columns: Int, count: Int) -> [[UInt8]] {
        [0, 0x40, columns, 0x40 + columns].prefix(count).map { Array(memory[$0..<$0 + columns]) }
    }

    private mutating func output(_ byte: UInt8) {
        isLit = byte & 0x08 != 0
        if last & 0x04 == 0, byte & 0x04 != 0, last & 0x01 != byte & 0x01 { breaches += 1 }
        if last & 0x04 != 0, byte & 0x04 == 0 { half(last >> 4, isData: last & 0x01 != 0) }
        last = byte
    }

    private mutating func half(_ half: UInt8, isData: Bool) {
        // At power-up it reads eight bits at once, of which four are connected.
        guard !isWide else { return command(half << 4) }
        guard let upper else { return upper = half }
        self.upper = nil
        let byte = upper << 4 | half
        if isData { write(byte) } else { command(byte) }
    }

    private mutating func write(_ byte: UInt8) {
        memory[address] = byte
        if moves { address = address == 0x27 ? 0x40 : address == 0x67 ? 0 : address + 1 }
    }

    private mutating func command(_ byte: UInt8) {
        switch byte {
        case 0x80...: address = min(Int(byte & 0x7F), 0x67)
        case 0x20..<0x40: isWide = byte & 0x10 != 0
        case 0x08..<0x10: isOn = byte & 0x04 != 0
        case 0x04..<0x08: moves = byte & 0x02 != 0
        case 0x01: (memory, address) = ([UInt8](repeating: 0x20, count: 0x68), 0)
        default: break
        }
    }
}
