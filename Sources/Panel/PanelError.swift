/// Why the panel cannot be used. Each message names the board file's key, the chip and the line.
public enum PanelError: Error, Equatable, Sendable {
    /// `present` contains the labels of the chips on this machine.
    case chipNotFound(key: String, chip: String, present: [String])
    /// Two or more chips have that label.
    case chipAmbiguous(key: String, chip: String, paths: [String])
    case chipUnusable(key: String, chip: String, reason: String)
    case lineNotFound(key: String, LineAddress)
    /// Another program, or a kernel driver, uses the line; `consumer` is the name that it gave.
    case lineBusy(key: String, LineAddress, consumer: String)
    /// Two parts use one line under two names; `first` is the key of the part that took the line first.
    case lineShared(key: String, LineAddress, first: String)
    case lineRefused(key: String, LineAddress, reason: String)
    /// The running panel failed: for example, a chip was unplugged.
    case broken(String)
    /// A stimulus names something that the simulated panel does not have.
    case noSuchContact(String, present: [String])
    /// A stimulus asks for a speed that no dial has.
    case impossibleSpeed(pulsesPerSecond: Int)
}

extension PanelError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .chipNotFound(let key, let chip, let present):
            let here = present.isEmpty ? "none" : present.map { "\"\($0)\"" }.joined(separator: ", ")
            return "\(key): chip \"\(chip)\" not found; chips here: \(here)"
        case .chipAmbiguous(let key, let chip, let paths):
            let list = paths.joined(separator: ", ")
            return "\(key): several chips are labelled \"\(chip)\"; name one by its path: \(list)"
        case .chipUnusable(let key, let chip, let reason):
            return "\(key): chip \"\(chip)\" cannot be used: \(reason)"
        case .lineNotFound(let key, let address):
            return "\(key): chip \"\(address.chip)\" has no line \(address.line)"
        case .lineBusy(let key, let address, let consumer):
            let user = consumer.isEmpty ? "" : " by \"\(consumer)\""
            return "\(key): line \(address.line) of chip \"\(address.chip)\" is in use\(user)"
        case .lineShared(let key, let address, let first):
            return "\(key): line \(address.line) of chip \"\(address.chip)\" is already used by \(first)"
        case .lineRefused(let key, let address, let reason):
            return "\(key): line \(address.line) of chip \"\(address.chip)\" cannot be used: \(reason)"
        case .broken(let reason):
            return "the panel failed: \(reason)"
        case .noSuchContact(let name, let present):
            return "the panel has no \"\(name)\"; it has: \(present.joined(separator: ", "))"
        case .impossibleSpeed(let speed):
            return "a dial makes 1 to 25 pulses a second, not \(speed)"
        }
    }
}
