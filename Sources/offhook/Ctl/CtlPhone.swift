import Base
import Commands
import Control
import Glibc
import JSON
import PhoneCore

/// Commands for the phone itself.
extension CtlCommand {
    static var phone: [Command] {
        [
            row(
                "dnd", .setDoNotDisturb, "Turn do-not-disturb on or off: reject all calls, or accept them again.",
                example: "offhook ctl dnd on", [.argument("on", as: "state", "on or off.")]),
            row("connect", .connect, "Register the accounts that are not registered."),
            row(
                "disconnect", .disconnect,
                "Unregister all accounts, so that no call arrives. Present calls continue."),
            row("reconnect", .reconnect, "Register all accounts again."),
            row("reset", .reset, "End every call at once and give up everything that is under way."), reload,
            row("restart", .restart, "Restart the phone, so that it reads its files again. Not during a call."),
            row(
                "relay", .relay, "Switch a relay of the board, for example of a door, a lamp or a gate.",
                example: "offhook ctl relay 1 pulse",
                [
                    .argument("number", "Number of the relay, from 1."),
                    .argument("order", "on, off, or pulse: on for the relay's configured time."),
                ]),
        ]
    }

    private static var reload: Command {
        Command(
            "reload", "Read the configuration again, also during a call.",
            discussion: """
                Prints the changed keys that are in effect now, and those that need a restart. A wrong file changes \
                nothing: every error is listed, and the exit code is 1.
                """, AskedPhone.input
        ) { phone in
            let client = try phone.connect()
            let answer: JSONValue
            do throws(ControlClientError) {
                answer = try client.call("reload")
            } catch {
                guard case .refused(_, _, let data) = error, let errors = data["errors"]?.array else { throw error }
                if phone.json { print(JSONValue.object(["error": data]).text) }
                let lines = errors.compactMap(\.string).map(\.withoutCommands)
                throw CommandError((lines + ["nothing has changed"]).joined(separator: "\n"))
            }
            phone.show(answer) { answer in
                let (applied, restart) = (list(answer["applied"]), list(answer["restart"]))
                let lines = [
                    applied.isEmpty ? nil : "in effect now: \(applied)",
                    restart.isEmpty ? nil : "needs a restart (offhook ctl restart): \(restart)",
                ].compactMap(\.self)
                return lines.isEmpty ? ["nothing has changed"] : lines
            }
        }
    }

    private static func list(_ keys: JSONValue?) -> String {
        (keys?.array ?? []).compactMap(\.string).joined(separator: ", ").withoutCommands
    }
}

/// Commands for a simulated panel.
extension CtlCommand {
    /// How long a key is down, and how long it is up before the next key.
    private static let holdMilliseconds: Int64 = 80

    static var panel: [Command] {
        [
            row("lift", .liftHook, "Lift the handset of a simulated panel."),
            row("replace", .replaceHook, "Replace the handset of a simulated panel."), press,
            row(
                "line", .setLine, "Set an input line of a simulated panel.",
                [
                    .argument("name", "Name of the line in the board file."),
                    .argument("level", "Level of the line: 0 or 1."),
                ]),
        ]
    }

    private static var press: Command {
        Command(
            "press", "Press keys of a simulated panel, one after another.", example: "offhook ctl press 1",
            AskedPhone.input, Parameter.arguments("keys", "Keys to press: \(Key.listed).", isRequired: true)
        ) { phone, keys in
            let client = try phone.connect()
            for key in keys {
                _ = try client.call("pressKey", ["key": .string(key), "holdMs": .integer(holdMilliseconds)])
                Pause.milliseconds(2 * holdMilliseconds)
            }
            phone.show([:]) { _ in [] }
        }
    }
}

/// Sleeps, for commands that act like a person at the panel.
enum Pause {
    static func milliseconds(_ count: Int64) {
        _ = poll(nil, 0, Int32(clamping: count))
    }
}
