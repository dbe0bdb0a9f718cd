/// A parameter of a command, as help and completion show it.
package struct Parameter {
    package enum Kind: String {
        /// A word at its place.
        case argument
        /// `--name VALUE` or `--name=VALUE`.
        case option
        /// `--name` without a value.
        case flag
    }

    /// How a shell completes the value.
    enum Completion {
        case nothing
        case choices([String])
        /// - Parameter ending: The only useful ending of the file's name, if any.
        case file(ending: String?)
        /// - Parameter candidates: Gets the words of the command line after the program's name.
        case ask(candidates: ([String]) -> [String])
    }

    package let kind: Kind
    /// Without dashes, such as `record-limit`.
    package let name: String
    /// The letter of the short form.
    var short: Character?
    /// Whether `--no-NAME` is the opposite of a flag.
    var hasOpposite = false
    /// The value's name in the help.
    package let valueName: String
    package let help: String
    /// The default as text, if there is one.
    package var usual: String?
    var completion = Completion.nothing
    package var isRequired = false
    package var isRepeated = false

    init(_ kind: Kind, _ name: String, _ help: String, valueName: String? = nil) {
        (self.kind, self.name, self.help, self.valueName) = (kind, name, help, valueName ?? name)
    }

    /// All values that fit, if they are few.
    package var choices: [String] {
        switch completion {
        case .choices(let choices): choices
        case .nothing, .file, .ask: []
        }
    }

    /// The forms that a command line may have, such as `-c` and `--config`.
    package var spellings: [String] {
        guard kind != .argument else { return [] }
        return (short.map { ["-\($0)"] } ?? []) + ["--" + name] + (hasOpposite ? ["--no-" + name] : [])
    }

    /// The parameter in a message: `--config` or `<label>`.
    var title: String { kind == .argument ? "<\(valueName)>" : "--\(name)" }

    /// The parameter in a line of usage.
    var usage: String {
        let word = kind == .option ? "--\(name) <\(valueName)>" : title
        let all = isRepeated ? word + " ..." : word
        return isRequired ? all : "[\(all)]"
    }
}

extension Parameter {
    /// An argument that the command needs.
    package static func argument<Value>(
        _ name: String, _ help: String, _ kind: ValueKind<Value> = ValueKind<String>.text
    ) -> Input<Value> {
        optionalArgument(name, help, kind).required()
    }

    package static func optionalArgument<Value>(
        _ name: String, _ help: String, _ kind: ValueKind<Value> = ValueKind<String>.text
    ) -> Input<Value?> {
        .last(Parameter(.argument, name, help), kind)
    }

    /// All remaining arguments.
    package static func arguments(
        _ name: String, _ help: String, isRequired: Bool = false
    ) -> Input<[String]> {
        var parameter = Parameter(.argument, name, help)
        parameter.isRequired = isRequired
        return .all(parameter)
    }

    package static func option<Value>(
        _ name: String, _ help: String, _ kind: ValueKind<Value> = ValueKind<String>.text
    ) -> Input<Value?> {
        .last(Parameter(.option, name, help), kind)
    }

    /// An option that may be repeated.
    package static func options(_ name: String, _ help: String, valueName: String) -> Input<[String]> {
        .all(Parameter(.option, name, help, valueName: valueName))
    }

    /// True if the command line has it.
    package static func flag(_ name: String, _ help: String) -> Input<Bool> {
        let parameter = Parameter(.flag, name, help)
        return Input([parameter]) { arguments in arguments[parameter].last != nil }
    }

    /// A flag with an opposite, `--no-NAME`. Nil if the command line has neither; the last one counts.
    package static func switching(_ name: String, _ help: String) -> Input<Bool?> {
        var parameter = Parameter(.flag, name, help)
        parameter.hasOpposite = true
        return Input([parameter]) { [parameter] arguments in arguments[parameter].last.map { $0 == "--" + name } }
    }
}

/// How a text of the command line becomes a value.
package struct ValueKind<Value> {
    /// Completes the sentence "expected …".
    let expectation: String
    let completion: Parameter.Completion
    /// Nil: the text does not fit.
    let value: (String) -> Value?

    private init(_ expectation: String, _ completion: Parameter.Completion, value: @escaping (String) -> Value?) {
        (self.expectation, self.completion, self.value) = (expectation, completion, value)
    }
}

extension ValueKind<String> {
    package static var text: ValueKind { text(.nothing) }

    /// A name of a file.
    /// - Parameter ending: The only useful ending of the name, without the dot, if any.
    package static func file(ending: String? = nil) -> ValueKind { text(.file(ending: ending)) }

    /// A text for which a shell offers these words.
    package static func likely(_ words: [String]) -> ValueKind { text(.ask { _ in words }) }

    /// A text for which a shell offers these candidates.
    /// - Parameter candidates: Gets the words of the command line after the program's name.
    package static func asked(_ candidates: @escaping ([String]) -> [String]) -> ValueKind {
        text(.ask(candidates: candidates))
    }

    /// One of these words.
    package static func word(_ words: [String]) -> ValueKind {
        ValueKind(words.alternatives, .choices(words)) { words.contains($0) ? $0 : nil }
    }

    private static func text(_ completion: Parameter.Completion) -> ValueKind {
        ValueKind("a text", completion) { $0 }
    }
}

extension ValueKind where Value: FixedWidthInteger {
    /// A whole number in decimal digits.
    package static func number(_ range: ClosedRange<Value> = .min ... .max) -> ValueKind {
        let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
        let expectation = range.lowerBound == .min ? "a whole number" : "a number from \(range.lowerBound)\(end)"
        return ValueKind(expectation, .nothing) { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueKind where Value: CaseIterable & RawRepresentable<String> {
    /// One of the raw values of an enumeration.
    package static func choice(_: Value.Type = Value.self) -> ValueKind {
        let words = Value.allCases.map(\.rawValue)
        return ValueKind(words.alternatives, .choices(words)) { Value(rawValue: $0) }
    }
}

extension [String] {
    /// `on, off or toggle`.
    fileprivate var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
