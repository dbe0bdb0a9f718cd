import Base
import PhoneCore

/// Replaces everything that identifies callers and callees, consistently within one file. `docs/dev/event-log.md` lists
/// what stays.
///
/// A redacted event is a valid event, for a machine that never sees the original. Texts are found by their type during
/// encoding, so that a new text in the vocabulary is replaced without being named here.
struct Redaction {
    enum Hidden {
        /// Digits sent or received in calls, or stored for that use, but not dialled digits.
        case digits
        /// The same digits, and every text.
        case everybody
    }

    /// This many dialled digits stay: they show the kind of number.
    static let keptKeys = 3

    private let pseudonyms = Pseudonyms()
    /// The substitute for each digit key that is down, so that the same key is released.
    private var down: [DTMFSymbol: DTMFSymbol] = [:]
    private let coder = LineCoder()
    private let hidden: Hidden

    init(of hidden: Hidden) { self.hidden = hidden }

    /// - Parameter phone: The machine that will get the event, in its state before the event.
    mutating func redacted(_ event: PhoneEvent, in phone: PhoneSnapshot) throws(EventLogError) -> PhoneEvent {
        if case .panel(.pressed(.digit(let symbol))) = event {
            let substitute = substitute(for: symbol, in: phone)
            down[symbol] = substitute
            return .panel(.pressed(.digit(substitute)))
        }
        if case .panel(.released(.digit(let symbol))) = event {
            return .panel(.released(.digit(down.removeValue(forKey: symbol) ?? symbol.redacted)))
        }
        return try redacted(event)
    }

    /// The same value with all hidden parts replaced.
    func redacted<Value: Codable>(_ value: Value) throws(EventLogError) -> Value {
        let json = try coder.json(value, replacer: Replacer(hidden == .everybody ? pseudonyms : nil))
        do {
            return try coder.decode(Value.self, from: json)
        } catch {
            throw .unredactable(error.words)
        }
    }

    /// Star and pound are commands while a person dials. In a call every symbol is sent.
    private func substitute(for symbol: DTMFSymbol, in phone: PhoneSnapshot) -> DTMFSymbol {
        guard phone.isCollecting else { return symbol.redacted }
        guard hidden == .everybody else { return symbol }
        return phone.digits.count < Self.keptKeys || symbol == .star || symbol == .pound ? symbol : .five
    }
}

extension DTMFSymbol {
    /// The substitute for any symbol that is sent, received or stored.
    var redacted: DTMFSymbol { .zero }
}

extension PhoneSnapshot {
    /// Whether a digit key would dial: digits were already dialled, or there is a dial tone, or no call can take the
    /// digit.
    fileprivate var isCollecting: Bool {
        !digits.isEmpty || tone == .dial || tone == .stutterDial || !calls.contains { $0.phase.takesDigits }
    }
}

extension CallSummary.Phase {
    fileprivate var takesDigits: Bool {
        switch self {
        case .ringingOut, .connecting, .active, .onHold, .reconnecting: true
        case .idle, .ringingIn, .disconnecting, .ended, .failed: false
        }
    }
}
