import Base

/// The words after a command's name, sorted by parameter.
///
/// GNU style: options may come before, between and after the arguments, and `--` ends the options.
struct Arguments {
    /// By the parameter's name. A flag has the form in which it was given.
    private var texts: [String: [String]] = [:]

    subscript(parameter: Parameter) -> [String] { texts[parameter.name] ?? [] }

    init(_ words: ArraySlice<String>, for parameters: [Parameter]) throws(UsageError) {
        var rest = words
        var arguments: [String] = []
        while let word = rest.popFirst() {
            if word == "--" {
                arguments += rest
                break
            }
            if Self.isOption(word) {
                try takeOption(word, &rest, parameters)
            } else {
                arguments.append(word)
            }
        }
        for parameter in parameters where parameter.kind == .argument {
            let count = parameter.isRepeated ? arguments.count : min(1, arguments.count)
            texts[parameter.name] = Array(arguments.prefix(count))
            arguments.removeFirst(count)
        }
        if let word = arguments.first { throw UsageError("unexpected argument \"\(word.shown(bytes: 64))\"") }
    }

    /// Whether a word before `--` is no argument. A single dash means standard input.
    static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

    private mutating func takeOption(
        _ word: String, _ rest: inout ArraySlice<String>, _ parameters: [Parameter]
    ) throws(UsageError) {
        let sign = word.firstIndex(of: "=")
        let spelling = sign.map { String(word[..<$0]) } ?? word
        guard let parameter = parameters.first(where: { $0.spellings.contains(spelling) }) else {
            throw Self.unknown(spelling, among: parameters)
        }
        let attached = sign.map { String(word[word.index(after: $0)...]) }
        switch parameter.kind {
        case .argument: preconditionFailure("an argument has no spelling")
        case .flag:
            guard attached == nil else { throw UsageError("\(spelling) takes no value") }
            texts[parameter.name, default: []].append(spelling)
        case .option:
            // Another option is no value: a forgotten value must not swallow it.
            let next = rest.first.flatMap { Self.isOption($0) ? nil : $0 }
            guard let value = attached ?? next else {
                throw UsageError("\(spelling) needs a value: \(parameter.help)")
            }
            if attached == nil { rest.removeFirst() }
            texts[parameter.name, default: []].append(value)
        }
    }

    static func unknown(_ spelling: String, among parameters: [Parameter]) -> UsageError {
        let known = parameters.flatMap(\.spellings).filter { $0.hasPrefix("--") } + ["--help"]
        let nearest = Spelling.nearest(to: spelling, among: known).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown option \(spelling.shown(bytes: 64))\(nearest)")
    }
}
