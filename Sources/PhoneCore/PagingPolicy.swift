/// The groups whose pages are heard and sent. The first has the highest priority.
public struct PagingPolicy: Equatable, Codable, Sendable {
    public struct Group: Equatable, Codable, Sendable {
        /// Its name for people.
        public var label: String
        /// Whether a page interrupts a call. The call is paused while the page is heard.
        public var interruptsCalls: Bool
        /// Whether its pages are heard even in do-not-disturb.
        public var isEmergency: Bool
        /// The longest page that this phone may send to the group. Nil: it sends none.
        public var longestSent: Duration?

        public init(
            label: String, interruptsCalls: Bool = false, isEmergency: Bool = false, longestSent: Duration? = nil
        ) {
            self.label = label
            self.interruptsCalls = interruptsCalls
            self.isEmergency = isEmergency
            self.longestSent = longestSent
        }
    }

    public var groups: [Group]

    public init(groups: [Group]) { self.groups = groups }

    /// Groups are numbered from 1. Nil: there is no such group.
    func group(_ number: UInt8) -> Group? {
        groups.indices.contains(Int(number) - 1) ? groups[Int(number) - 1] : nil
    }

    /// The page of this group; nil: there is no such group.
    func page(_ number: UInt8?) -> Page? {
        number.flatMap { number in group(number).map { Page(group: number, label: $0.label) } }
    }
}
