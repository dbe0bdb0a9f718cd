/// How the phone or a person rejects an offered call.
public enum CallRejection: Equatable, Codable, Sendable {
    case busy, declined, noAnswer, unavailable
}
