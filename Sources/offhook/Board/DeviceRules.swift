import Base
import Glibc
import Media
import Panel
import PhoneCore

/// udev rules that give one phone's devices to its service's group. That group has no access to other devices. The
/// rules name devices by properties that survive plugging, so a device that is plugged in again works again.
package struct DeviceRules {
    /// A chip of this machine, and the device that it is a part of, if the kernel knows.
    package typealias Chip = (path: String, device: String?)

    /// `:=` prevents later files from giving chips and buses to other groups. For example, `99-com.rules` of Raspberry
    /// Pi OS does that.
    private static let members = #"GROUP:="offhook", MODE:="0660""#

    private let file: String
    /// The match conditions for the devices, without the assignments.
    private var matches: [String] = []
    /// Notes for people: places where the phone reaches more or fewer devices than its configuration suggests.
    package private(set) var notes: [String] = []

    /// Reads the labels of the machine's GPIO chips.
    init(_ settings: Settings) throws {
        let board = try Board.load(path: settings.boardFile)
        let (found, missing) = board.chipPaths()
        // A user who may not open a chip cannot read its label. The service makes its rules as root.
        if geteuid() != 0, let error = missing.first { throw error }
        let chips = found.map { (path: $0, device: GPIOChip.device(ofChip: $0)) }
        self.init(settings, display: board.panel.display, chips: chips)
        // A chip that appears later is used then, but rules cannot match a label.
        notes += missing.map { "\($0); until it appears, the rules give the phone all GPIO chips" }
        if !missing.isEmpty { add(#"SUBSYSTEM=="gpio", KERNEL=="gpiochip*""#) }
    }

    package init(_ settings: Settings, display: DisplaySpec?, chips: [Chip]) {
        file = settings.file
        for (key, name) in Self.names(settings.media) { addSound(key, name) }
        for chip in chips { addChip(chip) }
        if let display { addNode(display.busPath, of: "i2c-dev") }
    }

    /// The name of the rules' file, made from the configuration's name. So each of several phones has another file.
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

    /// The configured devices, each once, with their keys.
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
                "sound.\(key): users of BlueALSA must be in the group audio; add SupplementaryGroups=audio")
        }
        switch DeviceName.card(in: name) {
        case .id(let id): add(#"SUBSYSTEM=="sound", ATTRS{id}=="\#(id)""#)
        case .port(let port): add(#"SUBSYSTEM=="sound", KERNELS=="\#(port)""#)
        case nil:
            notes.append(
                """
                sound.\(key): \(name.withoutCommands) does not name a card, so the rules give the phone all sound \
                cards; `offhook audio list` shows names that do
                """)
            return add(#"SUBSYSTEM=="sound""#)
        }
        // ALSA plugins that share a card take their timing from this device.
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
            return notes.append(
                "\(path.withoutCommands) is no kernel device, so the rules do not give the phone access to it")
        }
        add(#"SUBSYSTEM=="\#(subsystem)", KERNEL=="\#(name)""#)
    }

    /// Allows only harmless characters. The configuration may contain anything, and root's udev interprets the rule.
    private static func isName(_ text: some StringProtocol, with marks: String) -> Bool {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
    }
}
