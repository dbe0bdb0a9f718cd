import ArgumentParser
import Control
import JSON

/// Shell completions from the running phone. A person at the Tab key waits for them, so the phone has half a second to
/// answer. Without an answer there are no completions and no error.
extension RunningPhone {
    private static let timeout = Duration.milliseconds(500)

    static let accounts = CompletionKind.custom { words, _, _ in
        answers(to: "getSnapshot", words) { $0["registrations"]?.array?.compactMap { $0["label"]?.string } }
    }

    static let calls = CompletionKind.custom { words, _, _ in
        answers(to: "getSnapshot", words) { $0["calls"]?.array?.compactMap { $0["call"]?.string } }
    }

    /// Completes the numbers of contacts.
    static let numbers = CompletionKind.custom { words, _, _ in
        answers(to: "getContacts", words) { $0["contacts"]?.array?.compactMap { $0["number"]?.string } }
    }

    /// Omits texts with spaces or commands, because a shell would split them.
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
