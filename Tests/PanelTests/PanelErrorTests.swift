import Panel
import PhoneCore
import Testing

@Suite("Panel errors")
struct PanelErrorTests {
    private static let address = LineAddress(chip: "pinctrl-rp1", line: .name("GPIO17"))

    @Test(
        "each message names the key, the chip and the line",
        arguments: [
            (
                PanelError.chipNotFound(key: "panel.hook", chip: "x", present: []),
                "panel.hook: chip \"x\" not found; chips here: none"
            ),
            (
                .chipNotFound(key: "panel.hook", chip: "x", present: ["a", "b"]),
                "panel.hook: chip \"x\" not found; chips here: \"a\", \"b\""
            ),
            (
                .chipAmbiguous(key: "panel.hook", chip: "x", paths: ["/dev/gpiochip0", "/dev/gpiochip1"]),
                "panel.hook: several chips are labelled \"x\"; name one by its path: /dev/gpiochip0, /dev/gpiochip1"
            ),
            (.chipUnusable(key: "panel.hook", chip: "x", reason: "no"), "panel.hook: chip \"x\" cannot be used: no"),
            (.lineNotFound(key: "panel.hook", address), "panel.hook: chip \"pinctrl-rp1\" has no line \"GPIO17\""),
            (
                .lineBusy(key: "panel.hook", address, consumer: "other"),
                "panel.hook: line \"GPIO17\" of chip \"pinctrl-rp1\" is in use by \"other\""
            ),
            (
                .lineShared(key: "panel.ringer", address, first: "panel.hook"),
                "panel.ringer: line \"GPIO17\" of chip \"pinctrl-rp1\" is already used by panel.hook"
            ),
            (
                .lineRefused(key: "panel.hook", address, reason: "no"),
                "panel.hook: line \"GPIO17\" of chip \"pinctrl-rp1\" cannot be used: no"
            ),
            (.broken("a chip is gone"), "the panel failed: a chip is gone"),
            (.noSuchContact("x", present: ["hook"]), "the panel has no \"x\"; it has: hook"),
            (.impossibleSpeed(pulsesPerSecond: 0), "a dial makes 1 to 25 pulses a second, not 0"),
        ])
    func eachMessageNamesKeyChipAndLine(_ error: PanelError, _ expected: String) {
        #expect("\(error)" == expected)
    }

    @Test("one line under two names is rejected with both keys")
    func oneLineUnderTwoNamesIsRejectedWithBothKeys() throws {
        let lines = PanelPlan(
            try Boards.board(
                "  backend: gpiod\n  chip: a\n  hook: {line: GPIO17}\n  lamps: {line: {line: 4}}\n  ringer: {line: 17}"
            ).panel
        ).lines
        try LineGroup.refuseShared(lines, at: [17, 4, 18])
        #expect(throws: PanelError.lineShared(key: "panel.ringer", lines[2].address, first: "panel.hook")) {
            try LineGroup.refuseShared(lines, at: [17, 4, 17])
        }
    }

    @Test("a missing chip is reported by the real libgpiod")
    func missingChipIsReportedByRealLibgpiod() async throws {
        let board = try Boards.board("  backend: gpiod\n  chip: no-such-chip\n  hook: {line: GPIO17}")
        let message = try await failure(of: board)
        #expect(message.hasPrefix("panel.hook: chip \"no-such-chip\" "), "\(message)")
    }

    @Test("a file that is no chip is rejected", arguments: ["/dev/null", "/nowhere", "/tmp"])
    func fileThatIsNoChipIsRejected(_ path: String) async throws {
        let board = try Boards.board("  backend: gpiod\n  chip: \(path)\n  ringer: {line: 1}")
        let message = try await failure(of: board)
        #expect(message.hasPrefix("panel.ringer: chip \"\(path)\" cannot be used: \(path): "), "\(message)")
    }

    /// The panel's first report about lines that it cannot take. It keeps trying, and can be closed.
    private func failure(of board: Board) async throws -> String {
        let recorder = Recorder()
        let panel = Panel(board: board, backend: GPIODBackend(), post: recorder.post)
        try panel.start()
        defer { panel.close() }
        var events = recorder.events.makeAsyncIterator()
        let event = await events.next()
        guard case .failed(let message)? = event else { return "\(String(describing: event))" }
        return message
    }
}
