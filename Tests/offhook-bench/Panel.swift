import ArgumentParser
import Bench
import Glibc
import Platform

extension OffhookBench {
    struct Panel: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Two phones on one page of the browser, to call from one to the other, until Ctrl-C.",
            discussion: "To be run in the project's folder. What of the phone is not built yet is built before.")

        @Option(help: "The phone's program; by default the one beside this.") var phone: String?
        @Option(help: "The ALSA plug-in that makes a sound card of two files; by default the one beside this.")
        var wire: String?
        @Option(help: "The simulated panel's board file.") var board = "board/simulator.yaml"
        @Option(help: "Folder for configurations and logs; by default they are removed.") var folder: String?
        @Option(help: "The page's port; by default a free one.") var port: UInt16 = 0

        /// One implementation, in Python, serves the page. This program becomes it.
        private static let server = "Scripts/demo.d/panel.py"
        /// A first build takes some minutes.
        private static let building = Duration.seconds(3_600)

        func run() throws {
            let program = try phone ?? Stage.beside("offhook")
            let library = try wire ?? Stage.beside("libasound_module_pcm_wire.so")
            try build(program, "offhook")
            try build(library, "asound_module_pcm_wire")
            var words = ["python3", Self.server, "--program", program, "--wire", library, "--board", board]
            words += ["--port", "\(port)"] + (folder.map { ["--folder", $0] } ?? [])
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
            _ = unsafe execvp("python3", &arguments)
            throw SystemFailure("python3 cannot be started", errno)
        }

        private func build(_ file: String, _ product: String) throws {
            guard unsafe access(file, R_OK) != 0 else { return }
            let words = ["swift", "build", "-c", "release", "--quiet", "--product", product]
            let build = try ChildProcess(words, log: "/dev/stderr")
            guard build.wait(upTo: Self.building) == .status(0) else { throw ExitCode.failure }
        }
    }
}
