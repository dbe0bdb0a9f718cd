import ArgumentParser
import Bench
import Glibc

extension OffhookBench {
    struct Backend: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                A phone with a backend, its broker and a SIP server on this machine, step by step. Exits 0 only if \
                all that is printed held.
                """)

        @Option(help: "The phone's program; by default the one beside this.") var phone: String?
        @Option(help: "Folder for configurations and logs; created if missing.") var folder: String
        @Option(help: "The simulated panel's board file.") var board: String
        @Option(help: "The ALSA plug-in that makes a sound card of two files.") var wire: String
        @Option(help: "A Python that has the backend's packages.") var python: String
        @Option(help: "The backend: serve.py.") var server: String

        private static let cast = """
            A phone, its backend and its SIP server

                desk     Ada's phone; arrows are the SIP messages that it sends (→) and receives (←)
                ada      Ada, in a browser
                backend  the reference backend, by HTTPS; its descriptions of callers come through mosquitto
                charles  the phone of a caller, 02079460123 at Kamailio
                lobby    another phone with Ada's account

            """

        func run() throws {
            let place = try Stage.place(
                folder, program: phone ?? Stage.beside("offhook"), board: board, wire: wire)
            Self.show([Self.cast])
            let rehearsal = try RehearsedBackend(in: place, python: python, script: Stage.absolute(server))
            let failure = Result { try rehearsal.run(show: Self.show) }
            var checks = rehearsal.checks
            checks.append(Stage.stop(rehearsal.phones))
            checks.append(rehearsal.stopServers())
            if case .failure(let error) = failure { checks.expect("every step", false, "\(error)") }
            Self.show(checks.lines + [""])
            guard checks.allHeld else { throw ExitCode.failure }
        }

        /// Each step is shown as it happens, in a pipe, too.
        private static func show(_ lines: [String]) {
            print(lines.joined(separator: "\n"))
            fflush(nil)
        }
    }
}
