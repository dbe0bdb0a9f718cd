import Base
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
        let chips = found.map { (path: $0, device: GPIOChip.device(ofChip: $0)) }
        try self.init(settings, display: board.panel.display, chips: chips)
        // A chip that comes later is used then, and its label is nothing that a rule could ask for.
        notes += missing.map { "\($0), so the phone reaches all chips" }
        if !missing.isEmpty { add(#"SUBSYSTEM=="gpio", KERNEL=="gpiochip*""#) }
    }

    package init(_ settings: Settings, display: DisplaySpec?, chips: [Chip]) throws {
        file = settings.file
        for (key, name) in Self.names(settings.media) { add(key, sound: name) }
        for chip in chips { add(try Self.match(chip)) }
        if let display { add(try Self.match(bus: display.bus)) }
    }

    /// By the name of the configuration's, so that each of several phones has its own.
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

    /// The configured devices, with their keys.
    private static func names(_ media: MediaSettings) -> [(key: String, name: String)] {
        let routes = media.devices.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { route, device in
            [("\(route.rawValue).capture", device.capture), ("\(route.rawValue).playback", device.playback)]
        }
        return routes + (media.ringer.map { [("ringer", $0.device)] } ?? [])
    }

    private mutating func add(_ key: String, sound name: String) {
        guard name != "null" else { return }
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

    private static func match(_ chip: Chip) throws -> String {
        guard let device = chip.device else { return #"SUBSYSTEM=="gpio", KERNEL=="\#(try node(chip.path))""# }
        return #"SUBSYSTEM=="gpio", KERNEL=="gpiochip*", KERNELS=="\#(device)""#
    }

    private static func match(bus path: String) throws -> String {
        #"SUBSYSTEM=="i2c-dev", KERNEL=="\#(try node(path))""#
    }

    /// The kernel's name of a device. What is written in a file may be anything, and a rule is read by root.
    private static func node(_ path: String) throws -> Substring {
        let name = path.split(separator: "/").last ?? ""
        guard path.hasPrefix("/dev/"), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { throw CommandError("\(path) is no device of the kernel's, such as /dev/i2c-1") }
        return name
    }
}
