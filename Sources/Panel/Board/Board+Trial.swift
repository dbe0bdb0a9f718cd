extension Board {
    /// The labels and paths of the chips that the board's lines are on; none for a simulated panel.
    package var chips: Set<String> {
        guard panel.backend == .gpiod else { return [] }
        return Set(PanelPlan(panel).lines.map(\.address.chip))
    }

    /// Takes every line of the board as the phone does, and gives it back. Outputs are inactive meanwhile.
    public func tryLines() throws(PanelError) {
        guard panel.backend == .gpiod else { return }
        let backend = GPIODBackend()
        try backend.open(PanelPlan(panel).lines)
        backend.close()
    }
}
