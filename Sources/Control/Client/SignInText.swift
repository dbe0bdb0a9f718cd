import Base
import JSON

/// The code of a sign-in, for a terminal.
public enum SignInText {
    public static func lines(_ code: JSONValue) -> [String] {
        let (address, text) = (code["address"]?.string ?? "?", code["code"]?.string ?? "?")
        var lines = ["Open \(address.withoutCommands) on any device and enter the code \(text.withoutCommands)"]
        if let complete = code["completeAddress"]?.string { lines.append("or open \(complete.withoutCommands)") }
        if let seconds = code["seconds"]?.integer {
            lines.append("The code expires in \(max(1, seconds / 60)) minutes.")
        }
        return lines
    }
}

/// A list of organisations, for a terminal.
public enum OrganizationText {
    public static func lines(_ answer: JSONValue) -> [String] {
        let list = answer["organizations"]?.array ?? []
        guard !list.isEmpty else { return ["the user belongs to no organization"] }
        return TerminalText.table(
            list.map { organization in
                [
                    organization["isCurrent"] == true ? "*" : " ", TerminalText.of(organization["id"] ?? .null),
                    TerminalText.of(organization["name"] ?? .null),
                    organization["channelNumber"]?.string.map(TerminalText.clean) ?? "",
                ]
            })
    }
}
