import JSON
import PhoneCore

/// Bounds of the methods that the program itself answers.
enum ProgramMethods {
    static let keyPress: ClosedRange<Int64> = 10...10_000
    static let usualKeyPressMs: Int64 = 120
}

extension ControlExtras {
    /// Answers a method of the program itself; nil for any other method.
    func answer(_ method: MethodName, _ params: RPCParams) throws(RPCError) -> JSONValue? {
        switch method {
        case .ping: return ["version": .string(version)]
        case .discover: return openRPC
        case .getDeviceID: return ["deviceId": .text(deviceID)]
        case .getPushToken: return ["pushToken": .string(pushToken() ?? "none")]
        case .getBootTimeline: return bootTimeline()
        case .getMetrics: return ["text": .string(metrics?() ?? "")]
        case .getPanel: return board.json
        case .liftHook: try operate { panel throws(PanelRefusal) in try panel.liftHook() }
        case .replaceHook: try operate { panel throws(PanelRefusal) in try panel.replaceHook() }
        case .pressKey: try pressKey(params)
        case .setLine: try setLine(params)
        default: return nil
        }
        return [:]
    }

    private func pressKey(_ params: RPCParams) throws(RPCError) {
        guard let key = Key(name: try params.text("key", limit: 32)) else {
            throw .invalidParams("key must be one of \(Key.listed)")
        }
        let milliseconds =
            try params.optionalInteger("holdMs", in: ProgramMethods.keyPress) ?? ProgramMethods.usualKeyPressMs
        let hold = Duration.milliseconds(milliseconds)
        try operate { panel throws(PanelRefusal) in try panel.pressKey(key, hold) }
    }

    private func setLine(_ params: RPCParams) throws(RPCError) {
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
