import JSON
import Telephony

/// The state of watched users, put together from FreeSWITCH's event channels `presence.USER@DOMAIN`. Each event of a channel
/// tells the state of one call.
struct VertoPresence: Sendable {
    private struct User: Sendable {
        let number: String
        let channel: String
        var calls: [(name: String, state: WatchedState.Call)] = []
        /// Nil until the server has accepted the subscription.
        var told: WatchedState?

        var state: WatchedState { WatchedState(calls.map(\.state)) }
    }

    /// Calls of one user that are known at once. The state of further calls is ignored.
    static let mostCalls = 16
    /// Users that can be watched. Others are left out.
    static let mostUsers = 32
    private static let prefix = "presence."

    private var users: [User]

    /// - Parameters:
    ///   - numbers: The users, as a person names them.
    ///   - domain: The domain of the account, and so of each user without one.
    init(_ numbers: [String], domain: String) {
        users = numbers.prefix(Self.mostUsers).map { number in
            let name = number.hasPrefix("sip:") ? String(number.dropFirst(4)) : number
            return User(number: number, channel: Self.prefix + (name.contains("@") ? name : "\(name)@\(domain)"))
        }
    }

    var channels: [String] { users.map(\.channel) }

    /// The server accepted subscriptions. FreeSWITCH then tells the calls that there are.
    mutating func subscribed(to channels: [String]) -> [(String, WatchedState)] {
        change { users in
            for index in users.indices where channels.contains(users[index].channel) {
                users[index].told = users[index].told ?? .unknown
            }
        }
    }

    /// One event of a channel. Nil: it is another channel, or the event names no call and state.
    mutating func take(_ event: JSONValue, on channel: String) -> [(String, WatchedState)]? {
        guard let place = users.firstIndex(where: { $0.channel.lowercased() == channel.lowercased() }),
            let call = event["channelUUID"]?.string, call.utf8.count <= VertoLimits.idBytes,
            let word = event["channelCallState"]?.string
        else { return nil }
        let state: WatchedState.Call? =
            switch word {
            case "ACTIVE", "UNHELD": .busy
            case "HELD": .held
            // The server's leg to a user who is called goes out.
            case "RINGING", "EARLY", "RING_WAIT", "DIALING":
                event["presenceCallDirection"]?.string == "outbound" ? .ringing : .busy
            default: nil
            }
        return change { users in
            users[place].told = users[place].told ?? .unknown
            let known = users[place].calls.firstIndex { $0.name == call }
            switch (known, state) {
            case (let index?, let state?): users[place].calls[index].state = state
            case (let index?, nil): users[place].calls.remove(at: index)
            case (nil, let state?):
                if users[place].calls.count < Self.mostCalls { users[place].calls.append((call, state)) }
            case (nil, nil): break
            }
        }
    }

    /// The connection is gone, and with it the subscriptions.
    mutating func lost() -> [(String, WatchedState)] {
        let known = users.filter { $0.told != nil && $0.told != .unknown }
        for index in users.indices { (users[index].calls, users[index].told) = ([], nil) }
        return known.map { ($0.number, .unknown) }
    }

    private mutating func change(_ act: (inout [User]) -> Void) -> [(String, WatchedState)] {
        act(&users)
        return users.indices.compactMap { index in
            guard let told = users[index].told, told != users[index].state else { return nil }
            users[index].told = users[index].state
            return (users[index].number, users[index].state)
        }
    }
}
