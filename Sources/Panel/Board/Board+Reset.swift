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
