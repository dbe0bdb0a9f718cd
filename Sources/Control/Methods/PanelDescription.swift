import JSON
import PhoneCore

/// The parts of this phone's panel, for programs that draw it. Constant while the phone runs.
public struct PanelDescription: Equatable, Sendable {
    /// The board's name, for people.
    public var name: String
    /// Whether `liftHook`, `pressKey` and similar methods operate it.
    public var isSimulated: Bool
    public var hasHook: Bool
    public var hasBell: Bool
    public var keys: [Key]
    public var lamps: [Lamp]
    /// The meaning of each line key, speed-dial key and the voicemail key: a label, a target, or an organization.
    public var meanings: [Key: String]
    /// The keys whose meaning is the identifier of an organization.
    public var organizationKeys: Set<Key>

    public init(
        name: String, isSimulated: Bool, hasHook: Bool, hasBell: Bool, keys: [Key], lamps: [Lamp],
        meanings: [Key: String], organizationKeys: Set<Key> = []
    ) {
        (self.name, self.isSimulated, self.hasHook, self.hasBell) = (name, isSimulated, hasHook, hasBell)
        (self.keys, self.lamps, self.meanings) = (keys, lamps, meanings)
        self.organizationKeys = organizationKeys
    }

    var json: JSONValue {
        let meanings = meanings.map { ($0.key.name, JSONValue.string($0.value.withoutPassword)) }
        return [
            "name": .string(name), "simulated": .bool(isSimulated), "hook": .bool(hasHook), "bell": .bool(hasBell),
            "keys": .array(Key.names.filter { keys.contains($0.key) }.map { .string($0.name) }),
            "lamps": .array(Lamp.allCases.filter(lamps.contains).map { .string($0.rawValue) }),
            "meanings": .object(Dictionary(meanings) { first, _ in first }),
            "organizationKeys": .array(Key.names.filter { organizationKeys.contains($0.key) }.map { .string($0.name) }),
        ]
    }
}
