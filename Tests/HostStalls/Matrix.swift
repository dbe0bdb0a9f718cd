import Foundation
import Testing

/// Every peer × every scenario takes many minutes. `Scripts/test` runs a part of it, in which each peer, transport and
/// protection has a call with voice, and `Scripts/test --all` the rest, too.
public enum Matrix {
    public static let isWhole = ProcessInfo.processInfo.environment["OFFHOOK_TEST_ALL"] != nil

    /// - Parameters:
    /// - some: Cases of every run.
    /// - others: Cases of the whole matrix only. Their number is printed, for `Scripts/test` to add up.
    public static func cases<Case>(
        _ some: [Case], others: [Case], file: StaticString = #fileID, line: Int = #line
    ) -> [Case] {
        if isWhole { return some + others }
        print("test: \(file):\(line) leaves out \(others.count)")
        return some
    }
}

extension Trait where Self == ConditionTrait {
    /// A scenario that differs from those of every run by its peer or its length alone.
    public static var wholeMatrixOnly: Self { .enabled(if: Matrix.isWhole, "left to Scripts/test --all") }
}
