extension Board {
    /// Whether a machine with chips of these labels and paths has those that the board's lines are on. A simulated panel
    /// needs none.
    package func fits(chips present: Set<String>) -> Bool {
        guard panel.backend == .gpiod else { return true }
        return PanelPlan(panel).lines.allSatisfy { line in
            ChipFinder.names(in: line.address.chip).contains(where: present.contains)
        }
    }

    /// Takes every line of the board as the phone does, and gives it back. Outputs are inactive meanwhile.
    public func tryLines() throws(PanelError) {
        guard panel.backend == .gpiod else { return }
        let backend = GPIODBackend()
        try backend.open(PanelPlan(panel).lines)
        backend.close()
    }
}
