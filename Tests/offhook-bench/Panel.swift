import Bench
import Commands
import Glibc
import Platform

extension OffhookBench {
    /// One implementation, in Python, serves the page. This program becomes it.
    private static let server = "Scripts/demo.d/panel.py"
    /// A first build takes some minutes.
    private static let building = Duration.seconds(3_600)

    static var panel: Command {
        Command(
            "panel", "Two phones on one page of the browser, to call from one to the other, until Ctrl-C.",
            discussion: "To be run in the project's folder. What of the phone is not built yet is built before.",
            Scene.phone,
            Parameter.option(
                "wire", "The ALSA plug-in that makes a sound card of two files; by default the one beside this.",
                .file()),
            Parameter.option("board", "The simulated panel's board file.", .file()).usual("board/simulator.yaml"),
            Parameter.option("folder", "Folder for configurations and logs; by default they are removed.", .file()),
            Parameter.option("port", "The page's port; by default a free one.", .number(UInt16.min...UInt16.max))
                .usual(0)
        ) { phone, wire, board, folder, port in
            let program = try phone ?? Stage.beside("offhook")
            let library = try wire ?? Stage.beside("libasound_module_pcm_wire.so")
            try build(program, "offhook")
            try build(library, "asound_module_pcm_wire")
            var words = ["python3", server, "--program", program, "--wire", library, "--board", board]
            words += ["--port", "\(port)"] + (folder.map { ["--folder", $0] } ?? [])
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
            _ = unsafe execvp("python3", &arguments)
            throw SystemFailure("python3 cannot be started", errno)
        }
    }

    private static func build(_ file: String, _ product: String) throws {
        guard unsafe access(file, R_OK) != 0 else { return }
        let words = ["swift", "build", "-c", "release", "--quiet", "--product", product]
        let build = try ChildProcess(words, log: "/dev/stderr")
        guard build.wait(upTo: building) == .status(0) else { throw ExitCode.failure }
    }
}
