import Base
import Media
import Panel
import PhoneCore

/// udev rules by which the devices of one phone belong to the group that its service has anyway. Without the groups
/// `audio`, `gpio` and `i2c` the service reaches these then, and no others. They name devices by what stays when others
/// come and go, so what is plugged in again is reached again.
package struct DeviceRules {
    /// A chip of this machine, and what it is a part of, where the kernel says so.
    package typealias Chip = (path: String, device: String?)

    private static let group = "offhook"

    private let file: String
    /// What matches the devices of one kind, without what becomes of them.
    private var matches: [String] = []

    /// Looks at the machine's GPIO chips.
    init(_ settings: Settings) throws {
        let board = try Board.load(path: settings.boardFile)
        let chips = try board.chipPaths().map { (path: $0, device: GPIOChip.device(ofChip: $0)) }
        try self.init(settings, display: board.panel.display, chips: chips)
    }

    package init(_ settings: Settings, display: DisplaySpec?, chips: [Chip]) throws {
        file = settings.file
        for device in Self.names(settings.media) { add(try Self.match(sound: device)) }
        for chip in chips { add(try Self.match(chip)) }
        if let display { add(try Self.match(bus: display.bus)) }
    }

    private mutating func add(_ match: String) {
        if !matches.contains(match) { matches.append(match) }
    }

    package var text: String {
        """
        # The devices of the phone that \(file) configures, for its service alone.
        # 1. Save this as /etc/udev/rules.d/71-offhook.rules, then:
        #      udevadm control --reload
        #      udevadm trigger --subsystem-match=sound --subsystem-match=gpio --subsystem-match=i2c-dev
        # 2. Take from the service the groups that reach all devices (systemctl edit offhook), and restart it:
        #      [Service]
        #      SupplementaryGroups=
        # 3. Do it again when the configuration names other devices.
        \(matches.map { "\($0), GROUP=\"\(Self.group)\", MODE=\"0660\"" }.joined(separator: "\n"))
        """
    }

    // MARK: Sound

    /// The configured devices, with their keys for errors.
    private static func names(_ media: MediaSettings) -> [(key: String, name: String)] {
        let routes = media.devices.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { route, device in
            [("\(route.rawValue).capture", device.capture), ("\(route.rawValue).playback", device.playback)]
        }
        return routes + (media.ringer.map { [("ringer", $0.device)] } ?? [])
    }

    private static func match(sound device: (key: String, name: String)) throws -> String {
        switch DeviceName.card(in: device.name) {
        case .id(let id): return #"SUBSYSTEM=="sound", ATTRS{id}=="\#(id)""#
        case .port(let port): return #"SUBSYSTEM=="sound", KERNELS=="\#(port)""#
        case nil:
            throw CommandError(
                """
                sound.\(device.key): \(device.name) does not say which card it is: write plughw:CARD=… or plughw:USB=… as \
                `offhook audio list` shows them
                """)
        }
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
