/// A page: speech to a group of phones, which nobody has to answer.
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
