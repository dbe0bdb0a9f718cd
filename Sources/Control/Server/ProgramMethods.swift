import PhoneCore

extension ControlExtras {
    private static let keyPress: ClosedRange<Int64> = 10...10_000
    private static let usualKeyPressMs: Int64 = 120

    /// Answers a method of the program rather than of the phone; nil for any other method.
    func answer(_ call: RPCCall) throws(RPCError) -> JSONValue? {
        let params = call.params
        switch call.method {
        case "ping":
            try params.allow()
            return ["version": .string(version)]
        case "getBootTimeline":
            try params.allow()
            return bootTimeline()
        case "liftHook":
            try params.allow()
            try operate { panel throws(PanelRefusal) in try panel.liftHook() }
        case "replaceHook":
            try params.allow()
            try operate { panel throws(PanelRefusal) in try panel.replaceHook() }
        case "pressKey": try pressKey(params)
        case "setLine": try setLine(params)
        default: return nil
        }
        return [:]
    }

    private func pressKey(_ params: RPCParams) throws(RPCError) {
        try params.allow("key", "holdMs")
        guard let key = Key(name: try params.text("key", limit: 32)) else {
            throw .invalidParams("key must be one of \(Key.listed)")
        }
        let milliseconds = try params.optionalInteger("holdMs", in: Self.keyPress) ?? Self.usualKeyPressMs
        let hold = Duration.milliseconds(milliseconds)
        try operate { panel throws(PanelRefusal) in try panel.pressKey(key, hold) }
    }

    private func setLine(_ params: RPCParams) throws(RPCError) {
        try params.allow("name", "level")
        let name = try params.text("name", limit: 128)
        let isHigh = try params.integer("level", in: 0...1) == 1
        try operate { panel throws(PanelRefusal) in try panel.setLine(name, isHigh) }
    }

    private func operate(_ action: (SimulatedPanelControls) throws(PanelRefusal) -> Void) throws(RPCError) {
        guard let panel else { throw .panelIsReal }
        do {
            try action(panel)
        } catch {
            throw .panelRefused(error)
        }
    }
}
