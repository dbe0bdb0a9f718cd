/// How an offered call is turned down by the phone or by the person.
public enum CallRejection: Equatable, Codable, Sendable {
    case busy, declined, noAnswer, unavailable
}
