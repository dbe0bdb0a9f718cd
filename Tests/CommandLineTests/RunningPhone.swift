import Bench
import Foundation
import Rig

/// A phone with no sound and no accounts, as `docs/user/getting-started.md` makes one.
struct RunningPhone {
    let workplace: Workplace
    let socket: String
    let configuration: String
    private let process: ChildProcess

    init(port: UInt16) throws {
        workplace = try Workplace()
        socket = workplace.path + "/control.sock"
        configuration = workplace.path + "/offhook.yaml"
        let text = """
            board: \(Workplace.board)
            vault: {file: vault, key: vault.key}
            control: {socket: control.sock}
            sip: {address: 127.0.0.1, port: \(port)}
            sound: {handset: {capture: "null", playback: "null"}}
            """
        try TextFile.write(text, to: configuration)
        _ = try Command(["vault", "init", "--key", "file", "--config", configuration], in: workplace)
        _ = try Command(
            [
                "account", "add", "office", "--user", "101", "--server", "127.0.0.1:9", "--no-register",
                "--no-password",
                "--config", configuration,
            ], in: workplace)
        process = try ChildProcess(
            [Workplace.phone, "run", "--config", configuration], log: workplace.path + "/phone.log")
        for _ in 0..<100 {
            guard try ctl("ping").failed else { break }
            usleep(100_000)
        }
    }

    func ctl(_ words: String...) throws -> Command {
        try Command(["ctl"] + words + ["--socket", socket], in: workplace)
    }

    /// Ends the phone.
    func stop() { _ = process.stop() }
}
