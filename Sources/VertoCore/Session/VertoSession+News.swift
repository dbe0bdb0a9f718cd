import Base
import JSON
import Telephony

/// Handles news of the server that is not about calls: texts, and waiting voice messages.
extension VertoSession {
    /// FreeSWITCH's event channel for the voice messages of all accounts. It needs `enable-fs-events`.
    private static let messageChannel = "FSevent.message_waiting"

    // MARK: Texts

    /// Handles a message of another user (`msg`), or text in real time of a call's far end (`txt`).
    mutating func informed(_ params: JSONValue) {
        if let message = params["msg"] {
            tell(message["body"]?.string, from: message.shown("from", bytes: VertoLimits.nameBytes), params)
        }
        if let text = params["txt"] { tell(text["chars"]?.string, from: nil, params) }
    }

    /// Handles a text that a dialplan shows in a call.
    mutating func prompted(_ params: JSONValue) { tell(params["text"]?.string, from: nil, params) }

    private mutating func tell(_ body: String?, from sender: String?, _ params: JSONValue) {
        guard let body, !body.isEmpty else { return drop(.noText) }
        guard body.utf8.count <= VertoLimits.textBytes else { return drop(.tooLong) }
        let call = params.callID.flatMap { self.call($0)?.id }
        effects.append(.text(VertoText(from: sender, call: call, body: body)))
    }

    // MARK: Voice messages

    /// Subscribes to the channel. A refusal changes nothing.
    mutating func watchMessages(at now: Instant) {
        guard configuration.watchesMessages, dialect == .freeSWITCH else { return }
        request(.subscribe, ["eventChannel": .string(Self.messageChannel)], .unwatched, at: now)
    }

    mutating func happened(_ params: JSONValue) {
        guard let channel = params["eventChannel"]?.string, let data = params["data"] else { return }
        if channel == Self.messageChannel { return counted(data) }
        if let news = presence.take(data, on: channel) { show(news) }
    }

    private mutating func counted(_ news: JSONValue) {
        guard case .password(let user, _) = credentials, let account = news["MWI-Message-Account"]?.string else {
            return
        }
        // A login may be without the domain, which the server adds.
        let names = [user, "\(user)@\(configuration.domain)"].map { $0.lowercased() }
        let (name, scheme) = (account.lowercased(), "sip:")
        guard names.contains(name.hasPrefix(scheme) ? String(name.dropFirst(scheme.count)) : name) else { return }
        guard let count = Self.newMessages(news) else { return drop(.wrongType) }
        effects.append(.messagesWaiting(count))
    }

    // MARK: Watched users

    /// Subscribes to the channels of the watched users. A user whose channel the server refuses stays unknown.
    mutating func watchUsers(at now: Instant) {
        guard dialect == .freeSWITCH, !presence.channels.isEmpty else { return }
        let channels = JSONValue.array(presence.channels.map { .string($0) })
        request(.subscribe, ["eventChannel": channels], .presence, at: now)
    }

    mutating func subscribed(_ result: JSONValue) {
        show(presence.subscribed(to: (result["subscribedChannels"]?.array ?? []).compactMap(\.string)))
    }

    mutating func show(_ news: [(String, WatchedState)]) {
        effects += news.map { .watched($0.0, $0.1) }
    }

    /// The new messages in `new/saved (urgent new/urgent saved)`, else 1 if there are any.
    private static func newMessages(_ news: JSONValue) -> Int? {
        if let counts = news["MWI-Voice-Message"]?.string, counts.utf8.count <= 64 {
            return Int(counts.prefix { $0 != "/" }).flatMap { (0...9_999).contains($0) ? $0 : nil }
        }
        return switch news["MWI-Messages-Waiting"]?.string {
        case "yes": 1
        case "no": 0
        default: nil
        }
    }
}

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
