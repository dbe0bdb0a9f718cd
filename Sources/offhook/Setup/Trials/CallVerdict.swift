/// How a test call ended.
package enum CallVerdict: Equatable, Sendable {
    /// Voice came back; the opinion score of its quality, 1 to 4.5, if it was measured.
    case voice(score: Double?)
    /// The call was answered, and nothing was heard.
    case answeredInSilence
    /// The account did not register; why.
    case notRegistered(String)
    /// The call failed; why.
    case failed(String)
    case unanswered

    package var isGood: Bool { if case .voice = self { true } else { false } }

    package var sentence: String {
        switch self {
        case .voice(nil): "Voice came back."
        case .voice(let score?): "Voice came back; its quality is \(Self.word(score)) (\(Self.tenths(score)) of 4.5)."
        case .answeredInSilence:
            "The call was answered, but no voice came back: does a firewall hold the UDP ports of media.first_port back?"
        case .notRegistered(let why): "No call, because the account is not registered: \(why)."
        case .failed(let why): "The call failed: \(why)."
        case .unanswered: "Nobody answered."
        }
    }

    private static func word(_ score: Double) -> String { score >= 4 ? "good" : score >= 3 ? "fair" : "poor" }

    private static func tenths(_ score: Double) -> Double { (score * 10).rounded() / 10 }
}
