import Control
import Panel
import PhoneCore

extension PanelDescription {
    init(_ board: Board, _ policy: PhonePolicy, _ labels: [AccountID: String]) {
        let panel = board.panel
        let lines = zip(Key.lineKeys, policy.lineKeys).map { (Key.line($0), labels.name(of: $1)) }
        let dials = policy.speedDials.compactMap { number, dial in
            dial.targets.first.map { (Key.speedDial(number), $0) }
        }
        let pages = zip(Key.pages, policy.paging?.groups ?? []).filter { $1.longestSent != nil }.map { number, group in
            (Key.page(number), group.label)
        }
        let organizations = (policy.organisationKeys ?? [:]).map { (Key.speedDial($0), $1.rawValue) }
        let voicemail = policy.voicemail[policy.defaultAccount].map { (Key.voicemail, $0) }
        let meanings = lines + dials + organizations + pages + [voicemail].compactMap(\.self)
        self.init(
            name: board.name, isSimulated: panel.backend == .simulated, hasHook: panel.hook != nil,
            hasBell: panel.bell != nil, keys: Array(panel.allKeys), lamps: panel.lamps.map(\.key),
            meanings: Dictionary(meanings) { first, _ in first }, organizationKeys: Set(organizations.map(\.0)))
    }
}
