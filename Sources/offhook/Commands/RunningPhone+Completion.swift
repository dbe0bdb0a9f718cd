import ArgumentParser
import Control
import JSON

/// What a shell completes by asking the running phone. A person who presses Tab waits for it: the phone has half a
/// second, and where it does not answer there is nothing to complete, and nothing is said.
extension RunningPhone {
    private static let timeout = Duration.milliseconds(500)

    static let accounts = CompletionKind.custom { words, _, _ in
        answers(to: "getSnapshot", words) { $0["registrations"]?.array?.compactMap { $0["label"]?.string } }
    }

    static let calls = CompletionKind.custom { words, _, _ in
        answers(to: "getSnapshot", words) { $0["calls"]?.array?.compactMap { $0["call"]?.string } }
    }

    /// The numbers of contacts.
    static let numbers = CompletionKind.custom { words, _, _ in
        answers(to: "getContacts", words) { $0["contacts"]?.array?.compactMap { $0["number"]?.string } }
    }

    /// A shell would take a text with spaces or commands apart, so such a text is left out.
    private static func answers(
        to method: String, _ words: [String], _ texts: (JSONValue) -> [String]?
    ) -> [String] {
        do {
            let path = try value(of: ["--socket"], in: words) ?? settings(in: words).socket
            let answer = try ControlClient(path: path).call(method, timeout: timeout)
            return (texts(answer) ?? []).filter { $0.allSatisfy(isPlain) }
        } catch {
            return []
        }
    }

    private static func settings(in words: [String]) throws -> Settings {
        try Settings(path: value(of: ["--config", "-c"], in: words) ?? ConfigurationOption.usual)
    }

    private static func value(of names: [String], in words: [String]) -> String? {
        words.lastIndex { names.contains($0) }.flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "+-_.*#@:".contains(character)
    }
}
