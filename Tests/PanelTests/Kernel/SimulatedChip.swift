import Foundation
import Glibc

/// A kernel GPIO chip (gpio-sim), if the machine has that: lines like hardware, whose pulls are files. `Scripts/cards`
/// boots a machine that has it.
struct SimulatedChip {
    static let isThere = unsafe access("/sys/kernel/config/gpio-sim", F_OK) == 0
    static let label = "offhook-test"

    private static let folder = "/sys/kernel/config/gpio-sim/offhook"
    private let names: [String]

    /// Makes the chip. One at a time.
    init(lines names: [String]) throws {
        self.names = names
        let bank = Self.folder + "/bank0"
        try FileManager.default.createDirectory(atPath: bank, withIntermediateDirectories: true)
        try Self.write("\(names.count)", to: bank + "/num_lines")
        try Self.write(Self.label, to: bank + "/label")
        for (offset, name) in names.enumerated() {
            try FileManager.default.createDirectory(atPath: "\(bank)/line\(offset)", withIntermediateDirectories: false)
            try Self.write(name, to: "\(bank)/line\(offset)/name")
        }
        try plug(true)
    }

    /// The chip appears, or disappears while its lines are in use.
    func plug(_ isThere: Bool) throws { try Self.write(isThere ? "1" : "0", to: Self.folder + "/live") }

    func remove() throws {
        try plug(false)
        for offset in names.indices { unsafe rmdir("\(Self.folder)/bank0/line\(offset)") }
        unsafe rmdir(Self.folder + "/bank0")
        unsafe rmdir(Self.folder)
    }

    func path() throws -> String { "/dev/" + (try Self.read(Self.folder + "/bank0/chip_name")) }

    /// An external connection holds a line high or low.
    func pull(_ name: String, high: Bool) throws {
        try Self.write(high ? "pull-up" : "pull-down", to: file(name, "pull"))
    }

    /// The level to which the phone drives a line.
    func isHigh(_ name: String) throws -> Bool { try Self.read(file(name, "value")) == "1" }

    private func file(_ name: String, _ attribute: String) throws -> String {
        let device = try Self.read(Self.folder + "/dev_name")
        let chip = try Self.read(Self.folder + "/bank0/chip_name")
        guard let offset = names.firstIndex(of: name) else { preconditionFailure("the chip has no \(name)") }
        return "/sys/devices/platform/\(device)/\(chip)/sim_gpio\(offset)/\(attribute)"
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private static func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
