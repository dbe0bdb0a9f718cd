/// The far end's identity, merged from every source.
struct Identity: Equatable, Codable, Sendable {
    var number: String
    /// The names from the contacts, from the backend and from the signalling, in falling order of trust.
    var contactName: String?
    var infoName: String?
    var signallingName: String?
    var avatar: String?
    var organisation: Organisation?
    var verification: CallerVerification?
    var isWithheld = false
    var divertedBy: String?
    /// Our number that was called, from the signalling and from the backend.
    private var signallingCalled: String?
    private(set) var channel: String?
    /// The call's own headers, as its caller wrote them.
    var headers: [CallHeader]?
    /// The ring that the contact has, and the ring that the server asks for.
    var contactRing: String?
    var askedRing: String?
    /// The backend's identifiers of the call.
    var ids: [String] = []
    var hasInfo = false
    /// Whether `number` is the backend's, which is complete. Nil: it is not.
    private var hasFullNumber: Bool?

    /// The names in event logs. Former versions wrote `called`.
    private enum CodingKeys: String, CodingKey {
        case number, contactName, infoName, signallingName, avatar, organisation, verification, isWithheld, divertedBy
        case signallingCalled = "called"
        case channel, headers, contactRing, askedRing, ids, hasInfo, hasFullNumber
    }

    /// The most identifiers of one call that are kept.
    private static let mostIDs = 8

    var name: String? { [contactName, infoName, signallingName].compactMap(\.self).first { !$0.isEmpty } }
    var key: NumberKey? { NumberKey(number) }
    /// Our number that was called. The backend's is complete.
    var called: String? { channel ?? signallingCalled }

    init(number: String) { self.number = number }

    init(_ caller: Caller) {
        number = caller.number
        add(caller)
    }

    init(_ info: CallerInfo) {
        number = ""
        add(info)
    }

    mutating func add(_ caller: Caller) {
        if number.isEmpty { number = caller.number }
        signallingName = caller.displayName ?? signallingName
        verification = caller.verification ?? verification
        isWithheld = caller.isWithheld
        divertedBy = caller.divertedBy
        signallingCalled = caller.called
        headers = caller.headers
        askedRing = caller.ring ?? askedRing
        add(ids: caller.ids)
    }

    /// The backend's number is complete, so it replaces the signalling's, also if it comes first.
    mutating func add(_ info: CallerInfo) {
        if !info.number.isEmpty { (number, hasFullNumber) = (info.number, true) }
        infoName = info.name ?? infoName
        avatar = info.avatar ?? avatar
        channel = info.channel ?? channel
        organisation = info.organisation ?? organisation
        hasInfo = true
        add(ids: info.ids)
    }

    /// Takes the far end's new name and number, and drops the other data if it is another party. Nil: unchanged.
    ///
    /// - Returns: Whether it is another party.
    mutating func rename(_ name: String?, _ number: String?, isWithheld: Bool) -> Bool {
        guard let number else {
            signallingName = name ?? signallingName
            return false
        }
        let isOther =
            isWithheld && !self.isWithheld || NumberKey(number).map { $0 != key } ?? (number != self.number)
        if isOther {
            (infoName, signallingName, avatar, verification) = (nil, nil, nil, nil)
            (self.isWithheld, hasFullNumber) = (isWithheld, nil)
        }
        if hasFullNumber != true { self.number = number }
        signallingName = name ?? signallingName
        return isOther
    }

    /// Looks up the contact. Its name takes precedence over the other sources.
    mutating func find(in contacts: [Contact]) {
        let contact = key.flatMap { key in contacts.first { NumberKey($0.number) == key } }
        (contactName, contactRing) = (contact?.name, contact?.ring)
    }

    /// The far end for people who read a message.
    var words: String { [name, number].compactMap(\.self).first { !$0.isEmpty } ?? "somebody" }

    func shares(_ others: [String]) -> Bool { ids.contains(where: others.contains) }

    private mutating func add(ids more: [String]) {
        for id in more where !ids.contains(id) && ids.count < Self.mostIDs { ids.append(id) }
    }
}

/// A key that is equal for different ways of writing the same number.
///
/// For a number, it is the last ten digits, which do not depend on a country code, a trunk prefix or separators. For a
/// name, which a SIP user may be, it is the name in lower case.
struct NumberKey: Hashable, Codable, Sendable {
    private static let significant = 10

    /// The last ten digits of a number, or a name in lower case.
    let text: String

    /// Nil for a text that contains neither letters nor digits: it identifies no caller.
    init?(_ number: String) {
        let isNumber = number.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic }
        let digits = number.filter { ("0"..."9").contains($0) }
        text = isNumber ? String(digits.suffix(Self.significant)) : number.lowercased()
        if text.isEmpty { return nil }
    }
}
