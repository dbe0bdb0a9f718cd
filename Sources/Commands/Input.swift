import Base

/// One or several parameters of a command, and the value that they make together.
///
/// A command declares each parameter once, and gets its value by the place in the list.
package struct Input<Value> {
    let parameters: [Parameter]
    let read: (Arguments) throws(UsageError) -> Value

    init(_ parameters: [Parameter], read: @escaping (Arguments) throws(UsageError) -> Value) {
        (self.parameters, self.read) = (parameters, read)
    }

    /// Several inputs as one. `make` may reject their combination.
    package static func all<each Part>(
        _ parts: repeat Input<each Part>, make: @escaping (repeat each Part) throws(UsageError) -> Value
    ) -> Input {
        var parameters: [Parameter] = []
        for part in repeat each parts { parameters += part.parameters }
        return Input(parameters) { arguments throws(UsageError) in try make(repeat (each parts).read(arguments)) }
    }

    /// Several inputs of one kind as one.
    package static func list(_ parts: [Input]) -> Input<[Value]> {
        Input<[Value]>(parts.flatMap(\.parameters)) { arguments throws(UsageError) in
            var values: [Value] = []
            for part in parts { values.append(try part.read(arguments)) }
            return values
        }
    }

    package func map<New>(_ transform: @escaping (Value) throws(UsageError) -> New) -> Input<New> {
        Input<New>(parameters) { arguments throws(UsageError) in try transform(read(arguments)) }
    }

    /// The same input with a letter as its short form.
    package func short(_ letter: Character) -> Input { described { $0.short = letter } }

    fileprivate func described(_ change: (inout Parameter) -> Void) -> Input {
        precondition(parameters.count == 1, "only one parameter can be described")
        var parameters = parameters
        change(&parameters[0])
        return Input(parameters, read: read)
    }
}

extension Input {
    /// The value of the last occurrence.
    static func last<Part>(_ parameter: Parameter, _ kind: ValueKind<Part>) -> Input where Value == Part? {
        var parameter = parameter
        parameter.completion = kind.completion
        return Input([parameter]) { [parameter] arguments throws(UsageError) in
            guard let text = arguments[parameter].last else { return nil }
            guard let value = kind.value(text) else {
                throw UsageError("\(parameter.title): expected \(kind.expectation), found \"\(text.shown(bytes: 64))\"")
            }
            return value
        }
    }

    /// The same input, which the command line must have.
    package func required<Part>() -> Input<Part> where Value == Part? {
        let described = described { $0.isRequired = true }
        let parameter = described.parameters[0]
        return Input<Part>(described.parameters) { arguments throws(UsageError) in
            guard let value = try read(arguments) else {
                throw UsageError("\(parameter.title) is missing: \(parameter.help)")
            }
            return value
        }
    }

    /// The same input with a default.
    /// - Parameter text: The default in the help.
    package func usual<Part>(_ value: Part, _ text: String? = nil) -> Input<Part> where Value == Part? {
        let described = described { $0.usual = text ?? "\(value)" }
        return Input<Part>(described.parameters) { arguments throws(UsageError) in try read(arguments) ?? value }
    }

    package func usual<Part: RawRepresentable<String>>(_ value: Part) -> Input<Part> where Value == Part? {
        usual(value, value.rawValue)
    }
}

extension Input<[String]> {
    static func all(_ parameter: Parameter) -> Input {
        var parameter = parameter
        parameter.isRepeated = true
        return Input([parameter]) { [parameter] arguments throws(UsageError) in
            let texts = arguments[parameter]
            guard !texts.isEmpty || !parameter.isRequired else {
                throw UsageError("\(parameter.title) is missing: \(parameter.help)")
            }
            return texts
        }
    }
}
