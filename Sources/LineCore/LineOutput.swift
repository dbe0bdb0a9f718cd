import SDPCore
import SIPCore

/// What a line does and tells.
public enum LineOutput: Equatable, Sendable {
    case send([UInt8], Flow)
    /// Find the way to this hop: resolve its name, and find the own address towards it.
    case locate(Hop)
    case registration(LineRegistration)
    case offered(LegID, CallerIdentity)
    /// Our offer left.
    case offerSent(LegID)
    case ringing(LegID)
    case earlyMedia(LegID, AgreedMedia)
    case answered(LegID, AgreedMedia)
    case renegotiated(LegID, AgreedMedia)
    /// Our own hold or resume is settled. Nil: it failed, and the old terms hold.
    case holdSettled(LegID, AgreedMedia?)
    /// Comes once for each leg, which is named no more.
    case ended(LegID, LegEnd)
    /// A message went in or out.
    case trace(SignalTrace)
    /// Input that led to nothing.
    case dropped(TransactionLayer.Drop)
    /// The answer to `shutDown`.
    case finished
}

public enum LineRegistration: Equatable, Sendable {
    case notNeeded
    case registering
    case registered
    /// Not registered; another attempt will follow. The text is for people.
    case failed(String)
}
