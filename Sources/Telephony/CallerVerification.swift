/// The verdict of STIR/SHAKEN on a caller's number (ATIS-1000074).
public enum CallerVerification: String, CaseIterable, Codable, Sendable { case passed, failed, none }
