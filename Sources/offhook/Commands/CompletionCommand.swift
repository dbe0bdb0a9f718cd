import ArgumentParser

struct CompletionCommand: ParsableCommand {
    enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a script that completes offhook's commands in a shell.",
        discussion: """
            bash: offhook completion bash > /usr/share/bash-completion/completions/offhook
            zsh:  offhook completion zsh > /usr/share/zsh/vendor-completions/_offhook
            fish: offhook completion fish > /usr/share/fish/vendor_completions.d/offhook.fish
            """)

    @Argument(help: "bash, zsh or fish.") var shell: Shell

    func run() {
        let kind: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        print(Offhook.completionScript(for: kind))
    }
}
