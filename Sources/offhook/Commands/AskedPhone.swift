import ArgumentParser
import Control
import JSON

/// The phone that a `ctl` command asks, and the printing of its answer.
struct AskedPhone: ParsableArguments {
    @OptionGroup var phone: RunningPhone
    @Flag(help: "Print the phone's answer as JSON.") var json = false

    var path: String { get throws { try phone.path } }

    func connect() throws -> ControlClient { try phone.connect() }

    func ask(_ method: String, _ params: [String: JSONValue] = [:]) throws {
        show(try connect().call(method, params)) { _ in [] }
    }

    /// Transfers or parks a call; fails if the call was not transferred.
    func transfer(_ method: String, _ params: [String: JSONValue]) throws {
        let client = try connect()
        let failure: (code: String, why: String)?
        do throws(ControlClientError) {
            failure = try client.transfer(method, params).map { ("transferFailed", $0) }
        } catch {
            guard case .refused(let code, let message, _) = error else { throw error }
            failure = (code, message)
        }
        guard let failure else { return show([:]) { _ in [] } }
        if json { show(["error": ["code": .string(failure.code), "message": .string(failure.why)]]) { _ in [] } }
        throw CommandError("\(failure.why) (\(failure.code))")
    }

    /// Sets something, or toggles it.
    func ask(_ state: OnOffToggle, set: String, toggle: String) throws {
        if let isOn = state.isOn {
            try ask(set, ["on": .bool(isOn)])
        } else {
            try ask(toggle)
        }
    }

    /// Prints an answer.
    /// - Parameter lines: Makes the text for a person, when JSON was not asked for.
    func show(_ answer: JSONValue, _ lines: (JSONValue) throws -> [String]) rethrows {
        for line in json ? [answer.text] : try lines(answer) { print(line) }
    }
}
