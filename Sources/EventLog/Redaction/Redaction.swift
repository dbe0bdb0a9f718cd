import Base
import PhoneCore

/// Replaces what could tell who called whom, consistently within one file. `docs/recording.md` says what stays.
///
/// What it makes of an event is an event again, for a machine that never sees the original. Texts are found by their
/// type while a value is encoded, so that a text that is new in the vocabulary is replaced without being named here.
struct Redaction {
    enum Hidden {
        /// Those that are sent, received or stored for that; not those that dial.
        case digits
        /// Those and every text.
        case everybody
    }

    /// Of the digits that are dialled by keys so many stay: they say what kind of number it is.
    static let keptKeys = 3

    private let pseudonyms = Pseudonyms()
    /// What stands for each digit key that is down, so that the same one comes up again.
    private var down: [DTMFSymbol: DTMFSymbol] = [:]
    private let coder = LineCoder()
    private let hidden: Hidden

    init(of hidden: Hidden) { self.hidden = hidden }

    /// - Parameter phone: The machine that will get the event, as it is before.
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

    /// The same with everything replaced that is hidden.
    func redacted<Value: Codable>(_ value: Value) throws(EventLogError) -> Value {
        let bytes = try coder.encode(Replacing(value, by: hidden == .everybody ? pseudonyms : nil))
        do {
            return try coder.decode(Value.self, from: bytes)
        } catch {
            throw .unredactable(error.words)
        }
    }

    /// Star and pound are commands while somebody dials. In a call every symbol is part of what is sent.
    private func substitute(for symbol: DTMFSymbol, in phone: PhoneSnapshot) -> DTMFSymbol {
        guard phone.isCollecting else { return symbol.redacted }
        guard hidden == .everybody else { return symbol }
        return phone.digits.count < Self.keptKeys || symbol == .star || symbol == .pound ? symbol : .five
    }
}

extension DTMFSymbol {
    /// What stands for any symbol that is sent, received or stored.
    var redacted: DTMFSymbol { .zero }
}

extension PhoneSnapshot {
    /// Whether a digit key would dial: digits are there already, or the dial tone asks for them, or there is no call
    /// that they could be sent to.
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
