import Bench
import Foundation
import Rig
import Testing

/// `offhook ctl watch` on a terminal.
@Suite(.serialized) struct WatchTerminalTests {
    /// A terminal of a given size, in which a shell runs, and into which the test types.
    private struct Screen {
        let place: Workplace
        let process: ChildProcess
        private let keys: FileHandle

        var shown: String {
            let bytes = FileManager.default.contents(atPath: place.path + "/screen") ?? Data()
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The terminal's settings before and afterwards.
        var settings: [String] {
            ["before", "after"].map {
                (try? String(contentsOfFile: place.path + "/" + $0, encoding: .utf8)) ?? "no \($0)"
            }
        }

        init(_ phone: RunningPhone) throws {
            place = try Workplace()
            let (typed, folder) = (place.path + "/typed", place.path)
            _ = try Command(program: ["mkfifo", typed], in: place)
            let watch = "'\(Workplace.phone)' ctl watch --socket '\(phone.socket)'"
            let shell =
                "tty > '\(folder)/tty'; stty cols 100 rows 30; stty -g > '\(folder)/before'; \(watch); "
                + "echo \"ended $?\"; stty -g > '\(folder)/after'"
            try TextFile.write(shell, to: folder + "/shell")
            process = try ChildProcess(
                ["sh", "-c", "exec script -qec \"sh '\(folder)/shell'\" /dev/null < '\(typed)'"],
                environment: ["TERM": "xterm"], log: folder + "/screen")
            guard let keys = FileHandle(forWritingAtPath: typed) else { throw CocoaError(.fileWriteUnknown) }
            self.keys = keys
        }

        func type(_ text: String) throws { try keys.write(contentsOf: Data(text.utf8)) }

        func resize(columns: Int, rows: Int) throws {
            let name = try String(contentsOfFile: place.path + "/tty", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let size = ["stty", "-F", name, "cols", "\(columns)", "rows", "\(rows)"]
            let change = try Command(program: size, in: place)
            #expect(change.exit == .status(0), "\(change)")
        }

        /// The rows of the last drawing, without terminal commands.
        var rows: [String] {
            let drawing = shown.components(separatedBy: "\u{1B}[H").last ?? ""
            // The terminal adds a carriage return.
            let lines = drawing.components(separatedBy: "\u{1B}[J")[0].replacing("\r\r\n", with: "\n")
            return lines.components(separatedBy: "\n").map { $0.replacing(/\u{1B}\[[0-9;]*[mK]/, with: "") }
        }

        func wait(for condition: () -> Bool) {
            for _ in 0..<1_000 {
                if condition() { return }
                usleep(10_000)
            }
        }
    }

    @Test(arguments: ["q", "\u{3}"]) func personWatchesAndTerminalIsRestored(
        _ key: String
    ) throws {
        let phone = try RunningPhone(port: 26_988)
        defer { phone.stop() }
        let screen = try Screen(phone)
        screen.wait { screen.rows.contains { $0.contains("handset") } && screen.rows.last == "q quits" }
        #expect(screen.shown.contains("\u{1B}[?1049h\u{1B}[?25l"), "the other screen, without a cursor")
        #expect(screen.rows.contains { $0.contains("handset  on hook") }, "\(screen.rows)")
        // Changed rows are drawn again.
        _ = try phone.ctl("dnd", "on")
        screen.wait { screen.rows.contains { $0.contains("do not disturb") } }
        #expect(screen.rows.contains { $0.contains("doNotDisturbChanged") }, "\(screen.rows)")
        // A smaller terminal gets rows that fit it.
        try screen.resize(columns: 30, rows: 9)
        screen.wait { screen.rows.count == 9 }
        #expect(screen.rows.count == 9 && screen.rows.allSatisfy { $0.count <= 30 }, "\(screen.rows)")
        #expect(screen.rows.last == "q quits")
        try screen.type("x")
        try screen.type(key)
        #expect(screen.process.wait(upTo: .seconds(10)) == .status(0), "\(screen.shown.suffix(200))")
        #expect(screen.shown.hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049lended 0\r\n"), "\(screen.shown.suffix(200))")
        let settings = screen.settings
        #expect(settings[0] == settings[1] && !settings[0].isEmpty, "\(settings)")
    }
}
