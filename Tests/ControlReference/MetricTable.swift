import Monitoring

/// The table of `docs/metrics.md`, generated from the metrics.
public enum MetricTable {
    private static let opening = "<!-- metrics: written by offhook-reference -->\n"
    private static let closing = "<!-- end of metrics -->\n"

    /// The page with its table generated again; nil if it lacks the place for it.
    public static func page(_ page: String) -> String? {
        guard let start = page.firstRange(of: opening)?.upperBound,
            let end = page[start...].firstRange(of: closing)?.lowerBound
        else { return nil }
        return page[..<start] + text + page[end...]
    }

    private static var text: String {
        Metric.allCases.reduce(into: "| metric | kind | labels | meaning |\n|---|---|---|---|\n") { text, metric in
            let reference = metric.reference
            let labels = reference.labels.map { "`\($0.name)`" }.joined(separator: ", ")
            text += "| `\(reference.name)` | \(reference.kind.word) | \(labels) | \(reference.help) |\n"
        }
    }
}
