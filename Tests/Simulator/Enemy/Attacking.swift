/// The enemy's next action.
enum Attacking: String, Choice {
    case invites, speaksAsTheServer, speaksInACall, dialsACode, forges

    var weight: Int {
        switch self {
        case .invites: 7
        case .speaksAsTheServer: 5
        case .speaksInACall: 28
        case .dialsACode: 10
        case .forges: 50
        }
    }
}
