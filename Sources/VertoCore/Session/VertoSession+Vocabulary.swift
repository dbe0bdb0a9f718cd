import Telephony

extension VertoSession {
    public enum Event: Sendable {
        /// Begins, or tries at once.
        case connect
        /// Ends all calls and the connection.
        case disconnect
        /// Credentials for the next login. A session whose credentials were refused tries them at once.
        case credentials(VertoCredentials)
        /// The phone has other addresses: what is open is dead. A new connection is asked for at once.
        case pathChanged
        case opened(VertoSocketID)
        /// The connection would not hide the login, and was not opened. Only a person can help.
        case forbidden(VertoSocketID)
        /// A text frame. What does not come as one text is the owner's to refuse, above `VertoLimits.frameBytes` also.
        case received(String, VertoSocketID)
        /// It ended, or did not come about.
        case closed(VertoSocketID)
        case call(VertoCallID, VertoCallCommand)
        /// A call of an earlier process, which crashed in it: the server is told that it is over, at the next login at
        /// the latest.
        /// - Parameter session: The name that the session had then. A server that is asked by it gives the call back.
        case orphan(VertoCallID, session: String)
        case deadline
    }

    public enum Effect: Equatable, Sendable {
        /// Open a connection; the one before is gone, or an effect before this one has ended it.
        /// - Parameter query: For the address, without the question mark; may be empty.
        case connect(VertoSocketID, query: String)
        /// Send a frame on the connection that was opened last.
        case send(VertoFrame)
        /// End this connection when what was sent has gone out. No event need follow.
        case disconnect(VertoSocketID)
        case state(VertoState)
        case call(VertoCallID, VertoCallEvent)
        /// A text to show.
        case text(VertoText)
        /// How many new voice messages the server keeps for the account.
        case messagesWaiting(Int)
        /// The state of a watched user, named as in the configuration.
        case watched(String, WatchedState)
    }
}
