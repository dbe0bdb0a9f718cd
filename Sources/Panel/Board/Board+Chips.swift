extension Board {
    /// The paths of the chips that have lines of this panel, in order, and why others are not found. A simulated panel has
    /// none.
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

extension GPIOChip {
    /// What the chip is a part of, as the kernel names it, such as `1f000d0000.gpio`: it stays where the numbers of chips
    /// change. Nil: the kernel does not say.
    /// - Parameter path: The chip's, such as `/dev/gpiochip0`.
    public static func device(ofChip path: String) -> String? {
        let link = "/sys/bus/gpio/devices/" + (path.split(separator: "/").last ?? "")
        let real = ChipFinder.withoutLinks(link)
        return real == link ? nil : real.split(separator: "/").dropLast().last.map(String.init)
    }
}
