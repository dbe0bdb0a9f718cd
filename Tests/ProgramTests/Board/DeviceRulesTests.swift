import Bench
import Foundation
import Glibc
import Panel
import Rig
import Testing
import YAML
import offhook

/// The udev rules that `offhook board rules` prints. `Scripts/board-vm` tests that devices of the kernel follow them.
@Suite struct DeviceRulesTests {
    private static func settings(
        _ handset: String, speaker: String, ringer: String, file: String = "/etc/offhook/offhook.yaml"
    ) throws -> Settings {
        try Settings(
            """
            board: board.yaml
            sound:
              handset: { capture: "\(handset)", playback: "\(handset)" }
              speaker: { capture: "\(speaker)", playback: "\(speaker)" }
              ringer: "\(ringer)"

            """, path: file)
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

    @Test func eachDeviceIsNamedOnceByStableAttributes() throws {
        let settings = try Self.settings(
            "plughw:CARD=Handset,DEV=0", speaker: "plughw:USB=1-1.2", ringer: "hw:Handset,1")
        let rules = DeviceRules(
            settings, display: try Self.display(),
            chips: [("/dev/gpiochip0", "1f000d0000.gpio"), ("/dev/gpiochip7", nil), ("/dev/gpiochip8", "*")])
        let members = #", GROUP:="offhook", MODE:="0660""#
        #expect(
            lines(rules) == [
                #"SUBSYSTEM=="sound", ATTRS{id}=="Handset""# + members,
                #"SUBSYSTEM=="sound", KERNELS=="1-1.2""# + members,
                #"SUBSYSTEM=="gpio", KERNEL=="gpiochip*", KERNELS=="1f000d0000.gpio""# + members,
                #"SUBSYSTEM=="gpio", KERNEL=="gpiochip7""# + members,
                #"SUBSYSTEM=="gpio", KERNEL=="gpiochip8""# + members,
                #"SUBSYSTEM=="i2c-dev", KERNEL=="i2c-1""# + members,
            ])
        #expect(rules.notes.isEmpty)
    }

    /// The other devices still get their rules.
    @Test(arguments: [#"/dev/i2c-1", MODE="0666"#, "/dev/i2c*", "i2c-1", "/run/display"])
    func busThatIsNoDeviceGetsNoRule(bus: String) throws {
        let settings = try Self.settings("hw:CARD=A", speaker: "hw:CARD=A", ringer: "hw:CARD=A")
        let rules = DeviceRules(settings, display: try Self.display(on: bus), chips: [])
        #expect(lines(rules).count == 1 && rules.notes.count == 1)
        #expect(rules.notes.first?.contains("no kernel device") == true)
    }

    /// Such a name may belong to any card, so it gets no rule.
    @Test(arguments: [
        "default", "hw:0,0", "plughw:CARD=0", "plughw:CARD=a\u{27}b", "plughw:CARD=", "hw:*", "plug:handset",
    ])
    func deviceWithoutCardNameMatchesAllAndWarns(name: String) throws {
        let settings = try Self.settings("hw:CARD=Handset", speaker: name, ringer: "null")
        let rules = DeviceRules(settings, display: nil, chips: [])
        #expect(lines(rules).map { $0.prefix { $0 != "," } } == Array(repeating: #"SUBSYSTEM=="sound""#, count: 2))
        #expect(lines(rules).last?.hasPrefix(#"SUBSYSTEM=="sound", GROUP"#) == true)
        #expect(rules.notes.count == 1 && rules.notes.allSatisfy { $0.hasPrefix("sound.speaker.capture") })
    }

    /// ALSA's plugins that share a card also need the timer device. A phone without sound needs nothing.
    @Test(arguments: [("sysdefault:CARD=A", 2), ("dmix:A", 2), ("plughw:CARD=A", 1), ("null", 0)])
    func pluginsThatShareCardGetTimer(name: String, count: Int) throws {
        let rules = DeviceRules(try Self.settings(name, speaker: name, ringer: name), display: nil, chips: [])
        #expect(lines(rules).count == count && rules.notes.isEmpty)
        #expect(lines(rules).contains { $0.contains(#"KERNEL=="timer""#) } == (count == 2))
    }

    /// BlueALSA is another program: no udev rule grants access to it.
    @Test func bluetoothGetsNoRule() throws {
        let settings = try Self.settings("hw:CARD=A", speaker: "bluealsa:DEV=00:11:22:33:44:55", ringer: "null")
        let rules = DeviceRules(settings, display: nil, chips: [])
        #expect(lines(rules).count == 1 && rules.notes.contains { $0.contains("SupplementaryGroups=audio") })
    }

    /// Each of several phones on a machine has its own file.
    @Test(arguments: ["offhook", "offhook@desk1"]) func rulesFileIsNamedAfterConfiguration(name: String) throws {
        let settings = try Self.settings("null", speaker: "null", ringer: "null", file: "/etc/offhook/\(name).yaml")
        #expect(DeviceRules(settings, display: nil, chips: []).fileName == "71-\(name).rules")
    }

    /// Its number changes with each plugging, and on USB so does the number of its parent.
    @Test(arguments: [
        ("/sys/devices/platform/axi/1f000d0000.gpio/gpiochip0", "1f000d0000.gpio"),
        ("/sys/devices/platform/scb/pci0000:00/usb1/1-1/1-1.2/1-1.2:1.0/0003:10C4:EA90.0004/gpiochip3", "1-1.2"),
        ("/sys/devices/platform/soc/fe804000.i2c/i2c-1/1-0020/gpiochip4", "1-0020"),
        ("/sys/devices/gpiochip5", nil), ("/sys/devices/virtual/gpio/gpiochip6", nil),
    ])
    func chipIsIdentifiedByStableAttributes(path: String, device: String?) {
        #expect(GPIOChip.device(at: path) == device)
    }

    /// Files that root reads for udev must belong to root.
    @Test(.enabled(if: geteuid() == 0, "not root")) func rulesNeedFilesOwnedByRoot() throws {
        let workplace = try Workplace()
        let file = workplace.path + "/offhook.yaml"
        try TextFile.write("board: board.yaml\n", to: file)
        #expect(chmod(workplace.path, 0o755) == 0 && chmod(file, 0o644) == 0)
        try DeviceRules.requireRoots(file)
        #expect(chmod(file, 0o666) == 0)
        #expect(throws: CommandError.self) { try DeviceRules.requireRoots(file) }
        #expect(chmod(file, 0o644) == 0 && chown(workplace.path, 1, 1) == 0)
        #expect(throws: CommandError.self) { try DeviceRules.requireRoots(file) }
        #expect(throws: CommandError.self) { try DeviceRules.requireRoots("/dev/null") }
        // The owner of a folder above it, or above a link's target, could replace the file.
        let inner = workplace.path + "/inner"
        try TextFile.makeFolder(inner)
        try TextFile.write("board: board.yaml\n", to: inner + "/offhook.yaml")
        #expect(throws: CommandError.self) { try DeviceRules.requireRoots(inner + "/offhook.yaml") }
        let other = try Workplace()
        #expect(chmod(other.path, 0o755) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: other.path + "/offhook.yaml", withDestinationPath: inner + "/offhook.yaml")
        #expect(throws: CommandError.self) { try DeviceRules.requireRoots(other.path + "/offhook.yaml") }
    }
}
