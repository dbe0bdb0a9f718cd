import Bench
import Commands
import Glibc

extension OffhookBench {
    private static let cast = """
        A phone, its backend and its SIP server

            desk     Ada's phone; arrows are the SIP messages that it sends (→) and receives (←)
            ada      Ada, in a browser
            backend  the reference backend, by HTTPS; its descriptions of callers come through mosquitto
            charles  the phone of a caller, 02079460123 at Kamailio
            lobby    another phone with Ada's account

        """

    static var backend: Command {
        Command(
            "backend",
            """
            A phone with a backend, its broker and a SIP server on this machine, step by step. Exits 0 only if all \
            that is printed held.
            """, Scene.input,
            Parameter.option("python", "A Python that has the backend's packages.", .file()).required(),
            Parameter.option("server", "The backend: serve.py.", .file()).required()
        ) { scene, python, server in
            let place = try Stage.place(
                scene.folder, program: scene.program, board: scene.board, wire: scene.wire)
            show([cast])
            let rehearsal = try RehearsedBackend(in: place, python: python, script: Stage.absolute(server))
            let failure = Result { try rehearsal.run(show: show) }
            var checks = rehearsal.checks
            checks.append(Stage.stop(rehearsal.phones))
            checks.append(rehearsal.stopServers())
            if case .failure(let error) = failure { checks.expect("every step", false, "\(error)") }
            show(checks.lines + [""])
            guard checks.allHeld else { throw ExitCode.failure }
        }
    }

    /// Each step is shown as it happens, in a pipe, too.
    private static func show(_ lines: [String]) {
        print(lines.joined(separator: "\n"))
        fflush(nil)
    }
}
