import Glibc
import StateAtlas

/// Writes the table and the picture of the machine's states into a folder.
func write(_ text: String, to path: String) -> Bool {
    guard let file = unsafe fopen(path, "w") else { return false }
    let isWritten = unsafe fputs(text, file) >= 0
    return unsafe fclose(file) == 0 && isWritten
}

let folder = CommandLine.arguments.dropFirst().first ?? "docs/dev"
let atlas = Atlas()
for (name, text) in [("states.md", StatePage(atlas).text), ("states.svg", Diagram(atlas).text)] {
    guard write(text, to: "\(folder)/\(name)") else {
        print("offhook-states: \(folder)/\(name) cannot be written")
        exit(1)
    }
}
