import PhoneCore

/// The positions in the picture, laid out by hand.
///
/// The phases of ringing and talking are in columns in the order of a call; the transitions between them run above and
/// beside the boxes. The ends of a call drop from each column to three lines below, one for each kind of end, and
/// follow it to the right. So no two labels ever need the same place.
enum Layout {
    typealias Phase = CallSummary.Phase

    static let size = (width: 1_740, height: 800)
    static let box = (width: 126, height: 46)
    static let lineHeight = 16
    /// A generous width of one letter of a label.
    static let letterWidth = 7

    static func centre(of phase: Phase) -> Point {
        switch phase {
        case .idle: Point(93, 322)
        case .ringingIn: Point(303, 322)
        case .ringingOut: Point(493, 172)
        case .connecting: Point(693, 322)
        case .active: Point(893, 322)
        case .onHold: Point(1_153, 172)
        case .reconnecting: Point(1_363, 322)
        case .disconnecting: Point(1_583, 486)
        case .ended: Point(1_583, 612)
        case .failed: Point(1_583, 738)
        }
    }

    static func rectangle(of phase: Phase) -> Rectangle {
        let centre = centre(of: phase)
        return Rectangle(
            left: centre.x - box.width / 2, top: centre.y - box.height / 2, width: box.width, height: box.height)
    }

    /// Nil: this transition has no place yet.
    static func way(of transition: Atlas.Transition) -> Way? {
        if transition.from == .disconnecting { return drawn(transition) }
        return switch transition.to {
        case .disconnecting, .ended, .failed: drop(transition)
        case .idle, .ringingIn, .ringingOut, .connecting, .active, .onHold, .reconnecting: drawn(transition)
        }
    }

    /// Down from its column, and along the line of that end.
    private static func drop(_ transition: Atlas.Transition) -> Way {
        let (from, to) = (rectangle(of: transition.from), rectangle(of: transition.to))
        let offset =
            switch transition.to {
            case .failed: 12
            case .ended: 26
            case .disconnecting, .idle, .ringingIn, .ringingOut, .connecting, .active, .onHold, .reconnecting: 40
            }
        let (x, y, bend) = (from.left + offset, centre(of: transition.to).y, 14)
        return Way(
            path: "M\(x) \(from.bottom) V\(y - bend) Q\(x) \(y) \(x + bend) \(y) H\(to.left)",
            label: Label(Point(x + 8, y - 9), .start))
    }

    /// The transitions of a continuing call, and those of a BYE.
    private static func drawn(_ transition: Atlas.Transition) -> Way? {
        switch (transition.from, transition.to) {
        case (.idle, .ringingIn): Way("M156 322 H240", Point(198, 290), .middle)
        case (.idle, .ringingOut): Way("M93 299 C93 202 140 172 250 172 H430", Point(290, 162), .middle)
        case (.ringingIn, .connecting): Way("M366 322 H630", Point(484, 312), .start)
        case (.ringingOut, .connecting): Way("M556 184 C614 184 682 220 686 299", Point(694, 252), .start)
        case (.ringingOut, .active): Way("M556 162 C724 162 870 170 884 299", Point(706, 158), .middle)
        case (.connecting, .active): Way("M756 322 H830", Point(793, 290), .middle)
        case (.active, .onHold): Way("M912 299 C922 206 980 162 1090 162", Point(980, 144), .middle)
        case (.onHold, .active): Way("M1090 184 C1000 186 944 230 938 299", Point(958, 272), .start)
        case (.active, .reconnecting): Way("M956 314 H1300", Point(1_141, 304), .start)
        case (.reconnecting, .active): Way("M1300 332 H956", Point(1_141, 368), .start)
        case (.onHold, .reconnecting): Way("M1216 162 C1324 162 1376 200 1378 299", Point(1_384, 230), .start)
        case (.reconnecting, .onHold): Way("M1348 299 C1346 230 1304 184 1216 184", Point(1_292, 244), .end)
        case (.disconnecting, .ended): Way("M1556 509 V589", Point(1_564, 578), .start)
        case (.disconnecting, .failed): Way("M1646 486 C1732 486 1732 738 1646 738", Point(1_564, 704), .start)
        case (_, .idle), (_, .ringingIn), (_, .ringingOut), (_, .connecting), (_, .active), (_, .onHold),
            (_, .reconnecting), (_, .disconnecting), (_, .ended), (_, .failed):
            nil
        }
    }
}

/// The line of a transition, and the place of its label.
struct Way {
    let path: String
    let label: Label

    init(path: String, label: Label) {
        self.path = path
        self.label = label
    }

    init(_ path: String, _ point: Point, _ anchor: Label.Anchor) {
        self.init(path: path, label: Label(point, anchor))
    }
}

/// The baseline of a text's last line; the others are above it.
struct Label {
    enum Anchor: String { case start, middle, end }

    let foot: Point
    let anchor: Anchor

    init(_ foot: Point, _ anchor: Anchor) {
        self.foot = foot
        self.anchor = anchor
    }

    func rectangle(of lines: [String]) -> Rectangle {
        let width = (lines.map(\.count).max() ?? 0) * Layout.letterWidth
        let left =
            switch anchor {
            case .start: foot.x
            case .middle: foot.x - width / 2
            case .end: foot.x - width
            }
        let height = lines.count * Layout.lineHeight
        return Rectangle(left: left, top: foot.y + 4 - height, width: width, height: height)
    }
}
