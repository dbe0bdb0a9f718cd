/// The result of a test call.
package enum CallVerdict: Equatable, Sendable {
    /// Voice came back, with its MOS from 1 to 4.5 if it was measured.
    case voice(score: Double?)
    /// The far end answered, but sent no voice.
    case answeredInSilence
    /// The account did not register, with the reason.
    case notRegistered(String)
    /// The call failed, with the reason.
    case failed(String)
    case unanswered

    package var isGood: Bool { if case .voice = self { true } else { false } }

    package var sentence: String {
        switch self {
        case .voice(nil): "Voice came back."
        case .voice(let score?): "Voice came back; its quality is \(Self.word(score)) (\(Self.tenths(score)) of 4.5)."
        case .answeredInSilence:
            "The call was answered, but no voice came back. Check that no firewall "
                + "blocks the UDP ports from media.first_port on."
        case .notRegistered(let why): "No call was made, because the account is not registered: \(why)."
        case .failed(let why): "The call failed: \(why)."
        case .unanswered: "Nobody answered."
        }
    }

    private static func word(_ score: Double) -> String { score >= 4 ? "good" : score >= 3 ? "fair" : "poor" }

    private static func tenths(_ score: Double) -> Double { (score * 10).rounded() / 10 }
}
