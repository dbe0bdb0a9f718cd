extension Board {
    /// The paths of the chips that the board's lines are on, each once. A simulated panel has none.
    public func chipPaths() throws(PanelError) -> [String] {
        guard panel.backend == .gpiod else { return [] }
        let finder = ChipFinder()
        var paths: Set<String> = []
        for line in PanelPlan(panel).lines { paths.insert(try finder.path(of: line.address.chip, for: line.key)) }
        return paths.sorted()
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
