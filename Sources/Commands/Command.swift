/// A command of a program, or a group of commands.
///
/// A program's commands are one table: this value is a row. Parsing, help, completion and the reference pages all come
/// from it.
package struct Command {
    /// The commands of a group below one heading of its help.
    package struct Section {
        let title: String
        let commands: [Command]

        package init(_ title: String, _ commands: [Command]) {
            (self.title, self.commands) = (title, commands)
        }
    }

    enum Body {
        case group(usual: String?, sections: () -> [Section])
        case action([Parameter], run: (Arguments) throws -> Void)
    }

    package let name: String
    /// One sentence.
    package let purpose: String
    package let discussion: String
    /// Command lines to copy, one a line; empty if the usage is enough.
    package let example: String
    let body: Body

    /// - Parameters:
    ///   - inputs: The parameters, in the order of the help. `run` gets their values.
    ///   - run: Throws a `UsageError` if the command line is wrong, or an `ExitCode` if the output has said all.
    package init<each Value>(
        _ name: String, _ purpose: String, discussion: String = "", example: String = "",
        _ inputs: repeat Input<each Value>, run: @escaping (repeat each Value) throws -> Void
    ) {
        var parameters: [Parameter] = []
        for input in repeat each inputs { parameters += input.parameters }
        (self.name, self.purpose, self.discussion, self.example) = (name, purpose, discussion, example)
        body = .action(parameters) { arguments in try run(repeat (each inputs).read(arguments)) }
    }

    /// - Parameters:
    ///   - usual: The name of the command that runs if the words name none.
    ///   - sections: Evaluated only if the words name this group.
    package static func group(
        _ name: String, _ purpose: String, discussion: String = "", usual: String? = nil,
        sections: @autoclosure @escaping () -> [Section]
    ) -> Command {
        Command(name, purpose, discussion, body: .group(usual: usual, sections: sections))
    }

    package static func group(
        _ name: String, _ purpose: String, discussion: String = "", usual: String? = nil,
        _ commands: @autoclosure @escaping () -> [Command]
    ) -> Command {
        group(name, purpose, discussion: discussion, usual: usual, sections: [Section("Commands", commands())])
    }

    private init(_ name: String, _ purpose: String, _ discussion: String, body: Body) {
        (self.name, self.purpose, self.discussion, self.body) = (name, purpose, discussion, body)
        example = ""
    }

    /// The commands of a group, by heading.
    var sections: [Section] {
        switch body {
        case .group(_, let sections): sections()
        case .action: []
        }
    }

    /// The commands of a group; empty for a command that runs.
    package var commands: [Command] { sections.flatMap(\.commands) }

    /// The name of the command that runs if the words name only this group.
    var usual: String? {
        switch body {
        case .group(let usual, _): usual
        case .action: nil
        }
    }

    package var isGroup: Bool {
        switch body {
        case .group: true
        case .action: false
        }
    }

    package var parameters: [Parameter] {
        switch body {
        case .group: []
        case .action(let parameters, _): parameters
        }
    }
}

/// The command line is wrong. The program shows the usage with the message, and exits with 64.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Ends the program with this code. The output has already said why.
package struct ExitCode: Error {
    package static let failure = ExitCode(status: 1)

    let status: Int32
}
