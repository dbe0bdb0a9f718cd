import Base
import Glibc
import Media
import Panel
import PhoneCore

/// udev rules by which the devices of one phone belong to the group of its service, which is in no group that has them
/// all. They name devices by what stays when others come and go, so what is plugged in again is reached again.
package struct DeviceRules {
    /// A chip of this machine, and what it is a part of, where the kernel says so.
    package typealias Chip = (path: String, device: String?)

    /// `:=` because rules of later files give chips and buses to other groups: `99-com.rules` of Raspberry Pi OS does.
    private static let members = #"GROUP:="offhook", MODE:="0660""#

    private let file: String
    /// What matches the devices of one kind, without what becomes of them.
    private var matches: [String] = []
    /// Where the phone reaches more or less than its configuration seems to say, for people.
    package private(set) var notes: [String] = []

    /// Looks at the machine's GPIO chips.
    init(_ settings: Settings) throws {
        let board = try Board.load(path: settings.boardFile)
        let (found, missing) = board.chipPaths()
        // Whoever may not open a chip cannot tell which one it is. The service's rules are made by root.
        if geteuid() != 0, let error = missing.first { throw error }
        let chips = found.map { (path: $0, device: GPIOChip.device(ofChip: $0)) }
        self.init(settings, display: board.panel.display, chips: chips)
        // A chip that comes later is used then, and its label is nothing that a rule could ask for.
        notes += missing.map { "\($0), so the phone reaches all chips" }
        if !missing.isEmpty { add(#"SUBSYSTEM=="gpio", KERNEL=="gpiochip*""#) }
    }

    package init(_ settings: Settings, display: DisplaySpec?, chips: [Chip]) {
        file = settings.file
        for (key, name) in Self.names(settings.media) { addSound(key, name) }
        for chip in chips { addChip(chip) }
        if let display { addNode(display.busPath, of: "i2c-dev") }
    }

    /// The name of the rules' file, made from the configuration's name, so that each of several phones has its own.
    package var fileName: String {
        let name = file.dropFirst(file.folder.count)
        return "71-\(name.hasSuffix(".yaml") ? name.dropLast(5) : name).rules"
    }

    package var text: String {
        """
        # The devices of the phone that \(file) configures, for its service alone.
        \(matches.map { "\($0), \(Self.members)\n" }.joined())
        """
    }

    private mutating func add(_ match: String) {
        if !matches.contains(match) { matches.append(match) }
    }

    // MARK: Sound

    /// The configured devices, each once, with a key.
    private static func names(_ media: MediaSettings) -> [(key: String, name: String)] {
        let routes = media.devices.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { route, device in
            [("\(route.rawValue).capture", device.capture), ("\(route.rawValue).playback", device.playback)]
        }
        var met: Set<String> = []
        return (routes + (media.ringer.map { [("ringer", $0.device)] } ?? [])).filter { met.insert($0.1).inserted }
    }

    private mutating func addSound(_ key: String, _ name: String) {
        guard name != "null" else { return }
        guard !name.hasPrefix("bluealsa") else {
            return notes.append(
                "sound.\(key): BlueALSA wants its users to be in the group audio: SupplementaryGroups=audio")
        }
        switch DeviceName.card(in: name) {
        case .id(let id): add(#"SUBSYSTEM=="sound", ATTRS{id}=="\#(id)""#)
        case .port(let port): add(#"SUBSYSTEM=="sound", KERNELS=="\#(port)""#)
        case nil:
            notes.append(
                """
                sound.\(key): \(name.withoutCommands) does not say which card it is, so the phone reaches all of them; \
                `offhook audio list` shows names that do
                """)
            return add(#"SUBSYSTEM=="sound""#)
        }
        // ALSA's plugins that share a card keep time by this device.
        if !["hw:", "plughw:"].contains(where: name.hasPrefix) { add(#"SUBSYSTEM=="sound", KERNEL=="timer""#) }
    }

    // MARK: Panel

    private mutating func addChip(_ chip: Chip) {
        guard let device = chip.device, Self.isName(device, with: "-_.:") else { return addNode(chip.path, of: "gpio") }
        add(#"SUBSYSTEM=="gpio", KERNEL=="gpiochip*", KERNELS=="\#(device)""#)
    }

    private mutating func addNode(_ path: String, of subsystem: String) {
        let name = path.split(separator: "/").last ?? ""
        guard path.hasPrefix("/dev/"), Self.isName(name, with: "-") else {
            return notes.append("\(path.withoutCommands) is no device of the kernel's, and the phone does not reach it")
        }
        add(#"SUBSYSTEM=="\#(subsystem)", KERNEL=="\#(name)""#)
    }

    /// What is written in a file may be anything, and a rule is read by root: no mark in it has a meaning in rules.
    private static func isName(_ text: some StringProtocol, with marks: String) -> Bool {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
    }
}
