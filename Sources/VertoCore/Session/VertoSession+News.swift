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
        guard names.contains(String(account.lowercased().trimmingPrefix("sip:"))) else { return }
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
