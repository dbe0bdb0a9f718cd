/// The language of the words on the display. Names and numbers are shown as they are.
public enum DisplayLanguage: String, CaseIterable, Codable, Sendable {
    case english = "en"
    case german = "de"
}
