import SIPCore

extension Registration {
    /// What the line must do for its registration.
    package enum Effect: Sendable {
        /// Locate the account's server, unless that is under way. `register(_:by:)` follows.
        case locate(RegisteredFlow.Number)
        /// Give up the outstanding requests of this flow.
        case abandon(RegisteredFlow.Number)
        case abandonLeaving(RegisteredFlow.Number)
        case register(SIPRequest, RegisteredFlow.Number, over: Flow)
        case unregister(SIPRequest, RegisteredFlow.Number, over: Flow)
        case keepAlive([UInt8], over: Flow)
        /// Ask the server for a sign of life (RFC 3261 §11).
        case options(SIPRequest, RegisteredFlow.Number, over: Flow)
        /// The flow is dead: what we send over it does not arrive, and no error reports that.
        case died(Flow)
        /// The server no longer reaches us over this flow.
        case moved(from: Flow)
        /// Forget known flows, because another network has other flows.
        case forgetRoutes
        case state(RegistrationState)
        /// The server has removed our bindings. The line takes these credentials, if any, and starts again.
        case left(LineCredentials?)
    }
}
