import Platform

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
