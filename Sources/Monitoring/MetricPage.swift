import Base
import PhoneCore

/// The current metrics in Prometheus' text format, version 0.0.4.
public struct MetricPage: Sendable {
    /// The lines of each metric, without its name.
    private var lines: [Metric: [String]] = [:]
    /// The series that already have a value. Prometheus rejects a whole page in which one has two.
    private var seen: Set<String> = []

    public init() {}

    /// - Parameter labels: The values of the metric's labels, in the order of its reference.
    public mutating func add(_ metric: Metric, _ value: Double, _ labels: String...) {
        add(metric, "", Self.text(value), Self.pairs(metric, labels))
    }

    public mutating func add(_ metric: Metric, _ value: Int, _ labels: String...) {
        add(metric, value, labels: labels)
    }

    public mutating func add(_ metric: Metric, _ value: Int, labels: [String]) {
        add(metric, "", value.description, Self.pairs(metric, labels))
    }

    public mutating func add(_ metric: Metric, _ histogram: Histogram) {
        var count = 0
        for (bound, more) in zip(histogram.bounds, histogram.counts) {
            count += more
            add(metric, "_bucket", count.description, [("le", Self.text(bound))])
        }
        add(metric, "_bucket", histogram.count.description, [("le", "+Inf")])
        add(metric, count: histogram.count, sum: histogram.sum)
    }

    public mutating func add(_ metric: Metric, count: Int, sum: Double) {
        add(metric, "_sum", Self.text(sum), [])
        add(metric, "_count", count.description, [])
    }

    /// The whole page; metrics without a value are left out.
    public var text: String {
        Metric.allCases.reduce(into: "") { page, metric in
            guard let lines = lines[metric] else { return }
            let reference = metric.reference
            let name = reference.name
            page += "# HELP \(name) \(reference.help)\n# TYPE \(name) \(reference.kind.word)\n"
            for line in lines { page += name + line + "\n" }
        }
    }

    private mutating func add(_ metric: Metric, _ suffix: String, _ value: String, _ labels: [(String, String)]) {
        let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        let series = suffix + (pairs.isEmpty ? "" : "{\(pairs)}")
        guard seen.insert("\(metric)" + series).inserted else { return }
        lines[metric, default: []].append("\(series) \(value)")
    }

    private static func pairs(_ metric: Metric, _ values: [String]) -> [(String, String)] {
        let names = metric.reference.labels.map(\.name)
        precondition(names.count == values.count, "\(metric) has the labels \(names)")
        return Array(zip(names, values))
    }

    private static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? Int(value).description : value.description
    }

    /// Escapes a label's value, which may contain anything, as an account's label does. Characters that would control a
    /// terminal, or make it show another text, become question marks.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}": escaped += "?"
            case _ where scalar.changesDirection || scalar.separatesLines: escaped += "?"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Counts values by size, as Prometheus expects: how many were at most as large as each bound.
public struct Histogram: Equatable, Sendable {
    /// Ascending, in the metric's unit.
    public let bounds: [Double]
    /// How many values fell between a bound and the previous one; the last count is for values above all bounds.
    public private(set) var counts: [Int]
    public private(set) var sum = 0.0

    public init(_ bounds: [Double]) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds ascend")
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    public var count: Int { counts.reduce(0, +) }

    /// Values that are not finite are not counted, because they would spoil the sum for ever.
    public mutating func observe(_ value: Double) {
        guard value.isFinite else { return }
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}

/// The names of lines on the metrics page: their accounts' labels, each made unique.
public struct LineNames: Sendable {
    private let names: [AccountID: String]

    /// - Parameter labels: The accounts' labels. A person chose them: two may be equal, or equal to the direct line's
    ///   name.
    public init(_ labels: [AccountID: String]) {
        var names: [AccountID: String] = [.direct: "direct line"]
        for (account, label) in labels.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            names[account] = names.values.contains(label) ? "\(label) (\(account.rawValue))" : label
        }
        self.names = names
    }

    public var accounts: [AccountID] { names.keys.sorted { $0.rawValue < $1.rawValue } }

    public subscript(account: AccountID) -> String { names[account] ?? "\(account)" }
}
