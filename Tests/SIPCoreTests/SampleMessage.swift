/// The messages of `Tests/Corpus/sip`: a phone's usual traffic.
enum SampleMessage {
    static let names = [
        "busy", "bye", "challenge", "invite", "notify", "ok", "options", "refer", "register", "ringing", "trunk",
    ]

    static let all = names.map(load)

    static func load(_ name: String) -> [UInt8] {
        let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let bytes = TortureFile.read("\(folder)/Corpus/sip/\(name).sip")
        precondition(!bytes.isEmpty, "\(name).sip is not there")
        return bytes
    }
}
