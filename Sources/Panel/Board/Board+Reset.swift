extension Board {
    /// Switches every output off, each by itself and relays first: a chip that is missing, or a line that somebody else
    /// has, keeps no other line on. A simulated panel has none.
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
    /// - Parameter take: Takes a line, which makes it inactive, and gives it back.
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
