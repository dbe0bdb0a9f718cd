import PhoneCore
import YAML

/// A matrix of keys. Each key connects its row, which we drive, with its column, which we read.
public struct KeypadSpec: YAMLReadable, Equatable {
    public let rows: [LineSpec]
    public let columns: [LineSpec]
    /// The keys by row, then column; nil where there is no key.
    public let keys: [[Key?]]
    public let timing: MatrixTiming

    public init(from section: inout YAMLSection) throws(YAMLError) {
        let selectors = YAMLShape.list(of: LineSpec.selectorShape, count: 1...8)
        let rowSelectors = try section.required("rows", selectors)
        let columnSelectors = try section.required("columns", selectors)
        let chip = try section.optional("chip", LineSpec.chipShape)
        let polarity: LineSpec.Polarity = try section.optional("polarity", .choice()) ?? .activeLow
        let bias: LineSpec.Bias = try section.optional("bias", .choice()) ?? .pullUp
        let path = section.path
        let specs = { (kind: String, selectors: [LineSelector], bias: LineSpec.Bias) in
            selectors.enumerated().map { index, selector in
                LineSpec(
                    key: "\(path).\(kind)[\(index + 1)]", line: selector, chip: chip, polarity: polarity, bias: bias)
            }
        }
        // The chip drives or releases a row, so a row needs no bias. The columns need one.
        rows = specs("rows", rowSelectors, .asIs)
        columns = specs("columns", columnSelectors, bias)

        let width = columns.count...columns.count
        let row = YAMLShape.list(of: YAMLShape<Key?>.keyOrGap(), count: width)
        keys = try section.required("keys", .list(of: row, count: rows.count...rows.count))
        timing = try MatrixTiming(from: &section)

        let present = keys.flatMap { $0 }.compactMap { $0 }
        if let twice = present.first(where: { key in present.count { $0 == key } > 1 }) {
            throw section.error("keys", "key \"\(twice.name)\" appears twice")
        }
    }
}

/// How to read a matrix. The defaults suit a common keypad.
public struct MatrixTiming: YAMLReadable, Equatable {
    /// The time from one scan to the next while a key is down.
    public let scan: Duration
    /// How long a key must be down, or up, until its level is accepted.
    public let press: Duration
    public let release: Duration
    /// The time from driving a row to reading the columns.
    public let settle: Duration

    public init(from section: inout YAMLSection) throws(YAMLError) {
        scan = try section.optional("scan", .duration(in: .milliseconds(1) ... .milliseconds(50))) ?? .milliseconds(5)
        press = try section.optional("press", .debounce()) ?? .milliseconds(10)
        release = try section.optional("release", .debounce()) ?? .milliseconds(20)
        settle = try section.optional("settle", .duration(in: .zero ... .milliseconds(1))) ?? .microseconds(50)
    }

    public init(
        scan: Duration = .milliseconds(5), press: Duration = .milliseconds(10), release: Duration = .milliseconds(20),
        settle: Duration = .microseconds(50)
    ) {
        self.scan = scan
        self.press = press
        self.release = release
        self.settle = settle
    }
}

extension YAMLShape<Key?> {
    static func keyOrGap() -> YAMLShape {
        .scalar("a key's name, or \"-\" for no key") { text in
            if text == "-" { return .some(nil) }
            return Key(name: text).map { .some($0) } ?? nil
        }
    }
}
