import Foundation
import Panel
import Testing
import YAML
import offhook

/// Rules for udev that `offhook board rules` prints. That the kernel's devices follow them is in `Scripts/board-vm`.
@Suite struct DeviceRulesTests {
    private static func settings(_ handset: String, speaker: String, ringer: String) throws -> Settings {
        try Settings(
            """
            board: board.yaml
            sound:
              handset: { capture: "\(handset)", playback: "\(handset)" }
              speaker: { capture: "\(speaker)", playback: "\(speaker)" }
              ringer: "\(ringer)"

            """, path: "/etc/offhook/offhook.yaml")
    }

    private static func display(on bus: String = "/dev/i2c-1") throws -> DisplaySpec? {
        let text = """
            name: A
            panel:
              backend: gpiod
              chip: a
              hook: { line: A }
              display: { controller: ssd1306, bus: '\(bus)' }

            """
        let board: Board = try YAMLDocument(Array(text.utf8), file: "board.yaml").read()
        return board.panel.display
    }

    private func lines(_ rules: DeviceRules) -> [String] {
        rules.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    @Test func eachDeviceIsNamedOnceByWhatStays() throws {
        let settings = try Self.settings(
            "plughw:CARD=Handset,DEV=0", speaker: "plughw:USB=1-1.2", ringer: "hw:Handset,1")
        let rules = try DeviceRules(
            settings, display: try Self.display(),
            chips: [("/dev/gpiochip0", "1f000d0000.gpio"), ("/dev/gpiochip7", nil)])
        let members = #", GROUP:="offhook", MODE:="0660""#
        #expect(
            lines(rules) == [
                #"SUBSYSTEM=="sound", ATTRS{id}=="Handset""# + members,
                #"SUBSYSTEM=="sound", KERNELS=="1-1.2""# + members,
                #"SUBSYSTEM=="gpio", KERNEL=="gpiochip*", KERNELS=="1f000d0000.gpio""# + members,
                #"SUBSYSTEM=="gpio", KERNEL=="gpiochip7""# + members,
                #"SUBSYSTEM=="i2c-dev", KERNEL=="i2c-1""# + members,
            ])
    }

    @Test(arguments: [#"/dev/i2c-1", MODE="0666"#, "/dev/i2c*", "i2c-1"])
    func aBusThatIsNoDeviceIsRefused(bus: String) throws {
        let settings = try Self.settings("hw:CARD=A", speaker: "hw:CARD=A", ringer: "hw:CARD=A")
        let display = try Self.display(on: bus)
        let error = #expect(throws: (any Error).self) { try DeviceRules(settings, display: display, chips: []) }
        #expect("\(String(describing: error))".contains("no device"))
    }

    /// Such a name may be any card's. None writes a rule of its own.
    @Test(arguments: ["default", "hw:0,0", "plughw:CARD=0", "plughw:CARD=a\u{27}b", "plughw:CARD=", "hw:*"])
    func whatNamesNoCardReachesAllAndSaysSo(name: String) throws {
        let settings = try Self.settings("hw:CARD=Handset", speaker: name, ringer: "null")
        let rules = try DeviceRules(settings, display: nil, chips: [])
        #expect(lines(rules).map { $0.prefix { $0 != "," } } == Array(repeating: #"SUBSYSTEM=="sound""#, count: 2))
        #expect(lines(rules).last?.hasPrefix(#"SUBSYSTEM=="sound", GROUP"#) == true)
        #expect(rules.notes.count == 2 && rules.notes.allSatisfy { $0.hasPrefix("sound.speaker.") })
    }

    /// ALSA's plugins that share a card need the timer beside it. A phone without sound needs nothing.
    @Test(arguments: [("sysdefault:CARD=A", 2), ("plughw:CARD=A", 1), ("null", 0)])
    func pluginsThatShareACardKeepTime(name: String, count: Int) throws {
        let rules = try DeviceRules(
            try Self.settings(name, speaker: name, ringer: name), display: nil, chips: [])
        #expect(lines(rules).count == count && rules.notes.isEmpty)
        #expect(lines(rules).contains { $0.contains(#"KERNEL=="timer""#) } == (count == 2))
    }

    /// Several phones of a machine have a file each.
    @Test func theyAreNamedForTheConfiguration() throws {
        #expect(
            try DeviceRules(
                try Self.settings("null", speaker: "null", ringer: "null"), display: nil, chips: []
            ).fileName == "71-offhook.rules")
    }
}
