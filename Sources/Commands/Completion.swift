/// Completes a command line. The scripts for shells ask the program itself, so they need no change with it.
package enum Completion {
    /// The first word of a program that shall print completions; no command has this name.
    static let word = "---complete"
    /// The line that asks the shell for names of files, followed by the ending of these names.
    private static let files = ":files "

    /// Candidates for the last word, each with a tab and its purpose if it has one. Or one line that asks for files.
    static func lines(for words: [String], of program: Command) -> [String] {
        let partial = words.last ?? ""
        let before = Array(words.dropLast())
        var invocation = Invocation(of: program, before)
        let names = invocation.words.isEmpty ? invocation.command.commands : []
        invocation.enterUsual()
        guard !invocation.command.isGroup || partial.hasPrefix("-") else { return fitting(names, partial) }
        let parameters = invocation.command.parameters
        let options = invocation.words.prefix { $0 != "--" }
        let isOpen = options.count == invocation.words.count
        if isOpen, let last = options.last, let option = parameters.first(where: { $0.spellings.contains(last) }),
            option.kind == .option
        {
            return values(of: option, partial, words)
        }
        if isOpen, partial.hasPrefix("-") { return spellings(parameters, partial) }
        let place = countArguments(invocation.words, parameters)
        let arguments = parameters.filter { $0.kind == .argument }
        let next = place < arguments.count ? arguments[place] : arguments.last.flatMap { $0.isRepeated ? $0 : nil }
        return fitting(names, partial) + (next.map { values(of: $0, partial, words) } ?? [])
    }

    private static func fitting(_ commands: [Command], _ partial: String) -> [String] {
        commands.filter { $0.name.hasPrefix(partial) }.map { "\($0.name)\t\($0.purpose)" }
    }

    private static func spellings(_ parameters: [Parameter], _ partial: String) -> [String] {
        let all = parameters.flatMap { parameter in parameter.spellings.map { ($0, parameter.help) } }
        return (all + [("--help", "Show this help.")]).filter { $0.0.hasPrefix(partial) }.map { "\($0)\t\($1)" }
    }

    private static func values(of parameter: Parameter, _ partial: String, _ words: [String]) -> [String] {
        switch parameter.completion {
        case .nothing: []
        case .choices(let choices): choices.filter { $0.hasPrefix(partial) }
        case .file(let ending): [files + (ending ?? "")]
        case .ask(let candidates): candidates(words).filter { $0.hasPrefix(partial) }
        }
    }

    /// The number of arguments among words. An option takes its value with it.
    private static func countArguments(_ words: ArraySlice<String>, _ parameters: [Parameter]) -> Int {
        var (count, rest) = (0, words)
        while let word = rest.popFirst() {
            guard word != "--" else { return count + rest.count }
            guard Arguments.isOption(word) else {
                count += 1
                continue
            }
            if parameters.contains(where: { $0.kind == .option && $0.spellings.contains(word) }) { _ = rest.popFirst() }
        }
        return count
    }
}

extension Completion {
    package enum Shell: String, CaseIterable { case bash, zsh, fish }

    /// The script that makes a shell complete the program.
    package static func script(for shell: Shell, program: String) -> String {
        switch shell {
        case .bash: bash(program)
        case .zsh: zsh(program)
        case .fish: fish(program)
        }
    }

    private static func bash(_ program: String) -> String {
        """
        _\(program)() {
            local line word=${COMP_WORDS[COMP_CWORD]}
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                "\(files)"*)
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r line; do
                        COMPREPLY+=("$line")
                    done < <(compgen -f -- "$word")
                    ;;
                *) COMPREPLY+=("${line%%$'\\t'*}") ;;
                esac
            done < <("${COMP_WORDS[0]}" \(Completion.word) "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -F _\(program) \(program)
        """
    }

    private static func zsh(_ program: String) -> String {
        """
        #compdef \(program)
        _\(program)() {
            local line name
            local -a candidates
            for line in "${(@f)$("${words[1]}" \(Completion.word) "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
                case $line in
                "\(files)"*) _files ;;
                *$'\\t'*)
                    name=${line%%$'\\t'*}
                    candidates+=("${name//:/\\\\:}:${line#*$'\\t'}")
                    ;;
                ?*) candidates+=("${line//:/\\\\:}") ;;
                esac
            done
            (( ${#candidates} )) && _describe \(program) candidates
        }
        if [ "$funcstack[1]" = "_\(program)" ]; then
            _\(program) "$@"
        else
            compdef _\(program) \(program)
        fi
        """
    }

    private static func fish(_ program: String) -> String {
        """
        function __\(program)_complete
            set -l words (commandline -opc) (commandline -ct)
            for line in ($words[1] \(Completion.word) $words[2..-1] 2>/dev/null)
                switch $line
                    case '\(files)*'
                        __fish_complete_path (commandline -ct)
                    case '*'
                        echo $line
                end
            end
        end
        complete -c \(program) -f -a '(__\(program)_complete)'
        """
    }
}
