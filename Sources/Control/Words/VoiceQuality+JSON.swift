import JSON
import PhoneCore

extension VoiceQuality {
    /// The members' names have units. Unmeasured values are null.
    var json: JSONValue {
        func figure(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
        return .object([
            "rating": .string(rating.rawValue),
            "mos": figure(opinionScore),
            "jitterMs": figure(jitterMilliseconds),
            "roundTripMs": figure(roundTripMilliseconds),
            "lossPercent": figure(lossPercent),
            "concealedPercent": figure(concealedPercent),
            "bufferMs": figure(bufferMilliseconds),
            "farMos": figure(farOpinionScore),
        ])
    }
}
