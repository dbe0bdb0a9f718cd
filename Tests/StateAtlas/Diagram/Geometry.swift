/// A point of the picture, in its units; the origin is its upper left corner.
public struct Point: Equatable, Sendable {
    public let x: Int
    public let y: Int

    public init(_ x: Int, _ y: Int) {
        self.x = x
        self.y = y
    }

    var text: String { "\(x) \(y)" }
}

public struct Rectangle: Equatable, Sendable {
    public let left: Int
    public let top: Int
    public let width: Int
    public let height: Int

    public var right: Int { left + width }
    public var bottom: Int { top + height }

    public func overlaps(_ other: Rectangle) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    public func contains(_ other: Rectangle) -> Bool {
        left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
    }
}
