import ArgumentParser
import Platform

struct ThreadsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "threads",
        abstract: "Show all threads of a phone: task, priority, and what each may wait for.")

    func run() { print(ThreadRole.table.joined(separator: "\n")) }
}
