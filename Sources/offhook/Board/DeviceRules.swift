import Base
import Glibc
import Media
import Panel
import PhoneCore
import Platform

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

extension DeviceRules {
    /// Rules here are valid until the machine is switched off (udev(7)).
    private static let folder = "/run/udev/rules.d/"
    private static let udevadm = "/usr/bin/udevadm"

    /// Makes udev apply these rules, to present and future devices. Only root can. Does nothing if udev already has the
    /// same rules.
    func apply() throws(CommandError) {
        guard unsafe access("/run/udev/control", F_OK) == 0 else {
            throw CommandError(
                "udev does not run on this machine; add SupplementaryGroups=audio gpio i2c to the service's unit")
        }
        // Other users may read the new files, whatever the service's umask is.
        _ = umask(0o022)
        try Uninterrupted.run { () throws(CommandError) in try write() }
    }

    private func write() throws(CommandError) {
        let path = Self.folder + fileName
        guard try FileChange.text(of: path) != text else { return }
        _ = unsafe unlink(path)
        do throws(CommandError) {
            _ = try FileChange(path: path, before: nil, after: text).write()
            _ = try SystemCommand.output(of: [Self.udevadm, "control", "--reload"])
        } catch {
            // Remove the file, so that the service's next start applies the rules.
            _ = unsafe unlink(path)
            throw error
        }
        let kinds = ["sound", "gpio", "i2c-dev"].map { "--subsystem-match=" + $0 }
        // A device that keeps udev busy must not prevent the phone's start.
        let limit = ["/usr/bin/timeout", "--signal=KILL", "20"]
        _ = try SystemCommand.output(of: limit + [Self.udevadm, "trigger", "--settle"] + kinds)
    }

    /// Requires that only root can write a file, because udev follows its text. A person who can write any folder above
    /// the file, or above a link's target, could replace the file.
    package static func requireRoots(_ path: String) throws(CommandError) {
        guard let real = unsafe realpath(path, nil) else { throw CommandError("\(path): \(SystemError.last)") }
        defer { unsafe free(real) }
        for name in [unsafe String(cString: real), path] {
            var place = name.hasPrefix("/") ? name : "./" + name
            while true {
                try requireRootsAlone(place)
                guard place != "/", place != ".", let slash = place.lastIndex(of: "/") else { break }
                place = slash == place.startIndex ? "/" : String(place[..<slash])
            }
        }
    }

    private static func requireRootsAlone(_ path: String) throws(CommandError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw CommandError("\(path): \(SystemError.last)") }
        // In a folder such as /tmp, nobody can replace root's files (sticky bit).
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let isShared = status.st_mode & 0o022 != 0 && !(isFolder && status.st_mode & 0o1000 != 0)
        guard status.st_uid == 0, !isShared, isFolder || status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError(
                "\(path): only root may own and write it, because udev rules are made from it; run chown and chmod")
        }
    }
}
