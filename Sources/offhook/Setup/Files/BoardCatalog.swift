import Base
import Glibc
import Panel
import YAML

/// Finds the installed board files, or those of the folder in which the program was built.
enum BoardCatalog {
    private static let installed = "/usr/share/offhook/board/"
    /// More files than any folder of boards has.
    private static let most = 64

    /// Every board file, first those whose chips this machine has. The simulated panel is always included.
    static func all(chips: [GPIOChip] = GPIOChip.all()) -> [SetupFindings.BoardOffer] {
        let present = Set(chips.filter { $0.problem == nil }.flatMap { [$0.label, $0.path] })
        let simulator = SetupFindings.BoardOffer(
            name: SetupInterview.simulator, words: "no hardware: `offhook ctl` operates its panel",
            text: SimulatorBoard.text, fits: true)
        let others = files().compactMap { offer($0, present) }.filter { $0.name != simulator.name }
        return others.filter(\.fits) + [simulator] + others.filter { !$0.fits }
    }

    private static func offer(_ file: String, _ present: Set<String>) -> SetupFindings.BoardOffer? {
        // Skip files that are no valid board.
        guard let text = try? FileChange.text(of: file), let board = try? Board.load(path: file) else { return nil }
        let fits = board.fits(chips: present)
        let name = String(file.dropFirst(file.folder.count).dropLast(".yaml".count))
        return .init(
            name: name, words: board.name + (fits ? "" : ", needs chips that this machine does not have"), text: text,
            fits: fits)
    }

    private static func files() -> [String] {
        guard let folder = ([installed] + beside()).first(where: { !names(in: $0).isEmpty }) else { return [] }
        return names(in: folder).sorted().map { folder + $0 }
    }

    /// The folders `board` beside the program and in all folders above it.
    private static func beside() -> [String] {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return [] }
        var folder = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self).folder
        var folders: [String] = []
        while folder.count > 1 {
            folders.append(folder + "board/")
            folder = String(folder.dropLast()).folder
        }
        return folders
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while names.count < most, let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".yaml") { names.append(name) }
        }
        return names
    }
}

/// The board file of the simulated panel, which setup offers even if no board files are installed.
package enum SimulatorBoard {
    package static let text = """
        # A telephone without hardware, with every part that Offhook supports. `liftHook`, `pressKey` and similar methods of the
        # control socket operate it. Contacts bounce as real ones do.

        name: Simulator
        panel:
          backend: simulated
          # Any name: Offhook looks for no chip.
          chip: simulator

          hook: { line: HOOK, debounce: 30 ms }

          keypad:
            rows: [ROW1, ROW2, ROW3, ROW4]
            columns: [COLUMN1, COLUMN2, COLUMN3, COLUMN4]
            keys:
              - ["1", "2", "3", "A"]
              - ["4", "5", "6", "B"]
              - ["7", "8", "9", "C"]
              - ["*", "0", "#", "D"]

          dial:
            pulse: { line: DIAL-PULSE }
            off_normal: { line: DIAL-OFF-NORMAL }

          buttons:
            hold: { line: HOLD }
            mute: { line: MUTE }
            speaker: { line: SPEAKER }
            headset: { line: HEADSET }
            redial: { line: REDIAL }
            volume-up: { line: LOUDER }
            volume-down: { line: SOFTER }
            flash: { line: FLASH }
            transfer: { line: TRANSFER }
            conference: { line: CONFERENCE }
            do-not-disturb: { line: DO-NOT-DISTURB }
            voicemail: { line: VOICEMAIL }
            line-1: { line: LINE1 }
            line-2: { line: LINE2 }
            speed-1: { line: SPEED1 }
            speed-2: { line: SPEED2 }

          inputs:
            tamper: { line: TAMPER }
            door-open: { line: DOOR }

          lamps:
            line: { line: LAMP-LINE }
            ringing: { line: LAMP-RINGING }
            message: { line: LAMP-MESSAGE }
            mute: { line: LAMP-MUTE }
            hold: { line: LAMP-HOLD }
            speaker: { line: LAMP-SPEAKER }
            do-not-disturb: { line: LAMP-DO-NOT-DISTURB }
            line-1: { line: LAMP-LINE1 }
            line-2: { line: LAMP-LINE2 }

          ringer: { line: RINGER }

          relays:
            - { line: RELAY1 }
            - { line: RELAY2 }

        """
}
