import Control
import JSON
import Lines

extension LineCounters {
    /// The counters in the form of `getStatistics`.
    var json: JSONValue {
        .object([
            "garbage": count(garbage), "limited": count(limited), "oversized": count(oversized),
            "malformed": count(malformed), "strangers": count(strangers), "unmatched": count(unmatched),
            "refused": count(refused),
            "strayKeepAlives": count(strayKeepAlives), "unsent": count(unsent), "untrusted": count(untrusted),
            "reopenings": count(reopenings),
        ])
    }

    private func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }
}
