/// How the phone or a person turns an offered call down.
public enum CallRejection: Equatable, Codable, Sendable {
    case busy, declined, noAnswer, unavailable
}
