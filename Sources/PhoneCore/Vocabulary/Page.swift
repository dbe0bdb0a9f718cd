/// A page: speech to a group of phones, without an answer.
public struct Page: Hashable, Codable, Sendable {
    /// The number of its group, from 1.
    public var group: UInt8
    /// The group's name for people.
    public var label: String

    public init(group: UInt8, label: String) { (self.group, self.label) = (group, label) }
}

/// Why a page that has begun is not heard.
public enum PageObstacle: String, CaseIterable, Codable, Sendable {
    /// A person uses the phone, and the group does not interrupt calls.
    case busy
    case doNotDisturb
    /// A page of a group with priority is heard.
    case priority
    /// Something more important has the sound device.
    case interruption
}

/// Why a page that this phone sent is over.
public enum PageSendingEnd: String, CaseIterable, Codable, Sendable {
    /// The person, or a program, ended it.
    case stopped
    /// It was as long as the group allows.
    case tooLong
    /// A call has the sound.
    case call
    /// A page of a group with priority is heard.
    case priority
    /// Something more important has the sound device.
    case interruption
    /// It cannot be sent.
    case failed
}

/// A page that is sent, as Media needs it.
public struct PageSending: Equatable, Codable, Sendable {
    /// The number of its group, from 1.
    public var group: UInt8
    /// Whether the microphone's sound is sent. If not, silence is sent.
    public var isOpen: Bool

    public init(group: UInt8, isOpen: Bool) { (self.group, self.isOpen) = (group, isOpen) }
}
