import Telephony

extension VertoSession {
    public enum Event: Sendable {
        /// Connect, or try again at once.
        case connect
        /// End all calls and the connection.
        case disconnect
        /// Other credentials. A session that is not off logs in with them at once.
        case credentials(VertoCredentials)
        /// The phone has other addresses, so the open connection is dead. A new one is requested at once.
        case pathChanged
        case opened(VertoSocketID)
        /// The connection would send the login in clear, and was not opened. Only a person can change that.
        case forbidden(VertoSocketID)
        /// A text frame. The owner rejects all other messages, and those above `VertoLimits.frameBytes`.
        case received(String, VertoSocketID)
        /// The connection ended, or could not be opened.
        case closed(VertoSocketID)
        case call(VertoCallID, VertoCallCommand)
        /// End a call of an earlier process, which crashed during it. The server gets a BYE, after the next login at
        /// the latest.
        /// - Parameter session: The name of the session at that time. At a login with it, the server gives the call
        ///   back.
        case orphan(VertoCallID, session: String)
        case deadline
    }

    public enum Effect: Equatable, Sendable {
        /// Open a connection. The one before is gone, or an earlier effect has ended it.
        /// - Parameter query: For the address, without the question mark. May be empty.
        case connect(VertoSocketID, query: String)
        /// Send a frame on the last opened connection.
        case send(VertoFrame)
        /// End this connection when everything that was sent has left. No event need follow.
        case disconnect(VertoSocketID)
        case state(VertoState)
        case call(VertoCallID, VertoCallEvent)
        /// A text to show.
        case text(VertoText)
        /// The number of new voice messages that the server keeps for the account.
        case messagesWaiting(Int)
        /// The state of a watched user, named as in the configuration.
        case watched(String, WatchedState)
    }
}
