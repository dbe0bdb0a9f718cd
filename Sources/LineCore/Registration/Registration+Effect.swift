import SIPCore

extension Registration {
    /// What the line does for its registration.
    package enum Effect: Sendable {
        /// Locate the account's server, unless that is under way. `register(_:by:)` follows.
        case locate(RegisteredFlow.Number)
        /// Give up the outstanding requests of this flow.
        case abandon(RegisteredFlow.Number)
        case abandonLeaving(RegisteredFlow.Number)
        case register(SIPRequest, RegisteredFlow.Number, over: Flow)
        case unregister(SIPRequest, RegisteredFlow.Number, over: Flow)
        case keepAlive([UInt8], over: Flow)
        /// Ask the server whether it is there (RFC 3261 §11).
        case options(SIPRequest, RegisteredFlow.Number, over: Flow)
        /// Nothing that is sent over the flow arrives, and no error reports that.
        case died(Flow)
        /// The server does not reach us over this flow any more.
        case moved(from: Flow)
        /// Forget known flows, because another network has other ones.
        case forgetRoutes
        case state(RegistrationState)
        /// The server has no binding of ours any more. The line takes these credentials, if there are any, and starts
        /// anew.
        case left(LineCredentials?)
    }
}
