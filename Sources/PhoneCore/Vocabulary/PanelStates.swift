/// The states of the board's inputs and relays, which no call contains.
public struct PanelStates: Equatable, Codable, Sendable {
    /// The inputs that are active, by their names.
    public var inputs: Set<String>
    /// The relays that are on, by their numbers.
    public var relays: Set<UInt8>
    /// The inputs whose alarm still has to call somebody.
    public var alarms: Set<String>

    public init(inputs: Set<String> = [], relays: Set<UInt8> = [], alarms: Set<String> = []) {
        (self.inputs, self.relays, self.alarms) = (inputs, relays, alarms)
    }

    var isAtRest: Bool { self == PanelStates() }
}
