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
