import Platform
import YAML

/// A board file: the chips and lines that connect the parts of the telephone.
public struct Board: YAMLReadable, Equatable {
    /// The board's name, for people.
    public let name: String
    public let panel: PanelLayout

    public init(from section: inout YAMLSection) throws(YAMLError) {
        name = try section.required("name", .text("a name", length: 1...64))
        panel = try section.required("panel", .section())
    }

    /// Reads a board file. Blocks on the disk; a file has some hundred bytes.
    public static func load(path: String) throws(YAMLError) -> Board { try YAMLDocument(path: path).read() }
}

extension Board {
    /// The paths of the chips that have lines of this panel, in order, and an error for each chip that is not found. A
    /// simulated panel has no chips.
    public func chipPaths() -> (found: [String], missing: [PanelError]) {
        guard panel.backend == .gpiod else { return ([], []) }
        let finder = ChipFinder()
        var (paths, missing): (Set<String>, [PanelError]) = ([], [])
        let keys = Dictionary(PanelPlan(panel).lines.map { ($0.address.chip, $0.key) }) { first, _ in first }
        for (chip, key) in keys.sorted(by: { $0.key < $1.key }) {
            do throws(PanelError) {
                paths.insert(try finder.path(of: chip, for: key))
            } catch {
                missing.append(error)
            }
        }
        return (paths.sorted(), missing)
    }
}

extension DisplaySpec {
    /// The bus's path with links resolved, such as `/dev/i2c-1`.
    public var busPath: String { ChipFinder.withoutLinks(bus) }
}

extension GPIOChip {
    /// The kernel's name for the device that contains the chip, such as `1f000d0000.gpio`. It stays the same when chips
    /// change their numbers. Nil: the kernel does not say.
    /// - Parameter path: The chip's path, such as `/dev/gpiochip0`.
    public static func device(ofChip path: String) -> String? {
        let link = "/sys/bus/gpio/devices/" + (path.split(separator: "/").last ?? "")
        let real = ChipFinder.withoutLinks(link)
        return real == link ? nil : device(at: real)
    }

    /// - Parameter path: The chip's path in sysfs.
    package static func device(at path: String) -> String? {
        let above = path.split(separator: "/").dropLast()
        // Parts of a USB device get other numbers each time the device is plugged in. The name of the USB port stays.
        let port = above.last(where: USBPort.isOne)
        guard let device = port ?? above.last, !["devices", "virtual", "gpio"].contains(device) else { return nil }
        return String(device)
    }
}

extension Board {
    /// Whether a machine with these chip labels and paths has the chips of all the board's lines. A simulated panel
    /// needs no chips.
    package func fits(chips present: Set<String>) -> Bool {
        guard panel.backend == .gpiod else { return true }
        return PanelPlan(panel).lines.allSatisfy { line in
            ChipFinder.names(in: line.address.chip).contains(where: present.contains)
        }
    }

    /// Takes every line of the board as the phone does, then releases it. Outputs are inactive during the trial.
    public func tryLines() throws(PanelError) {
        guard panel.backend == .gpiod else { return }
        let backend = GPIODBackend()
        try backend.open(PanelPlan(panel).lines)
        backend.close()
    }
}

extension Board {
    /// Switches every output off, one by one, relays first. If a chip is missing or another program uses a line, all
    /// other lines are still switched off. A simulated panel has no lines.
    /// - Returns: Why lines could not be switched off; empty: all are off.
    public func switchOff() -> [PanelError] {
        guard panel.backend == .gpiod else { return [] }
        return PanelPlan(panel).switchOff { line throws(PanelError) in
            let backend = GPIODBackend()
            try backend.open([line])
            backend.close()
        }
    }
}

extension PanelPlan {
    /// - Parameter take: Takes a line, which makes it inactive, and releases it.
    package func switchOff(_ take: (LineRequest) throws(PanelError) -> Void) -> [PanelError] {
        let outputs = outputsRelaysFirst.map(\.line)
        return (outputs + (keypad?.rows ?? [])).compactMap { line in
            do throws(PanelError) {
                try take(lines[line])
                return nil
            } catch {
                return error
            }
        }
    }
}
