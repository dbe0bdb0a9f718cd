import NIOCore
import SIPCore
import Turns

/// The work that the loop may do in one turn for all lines together. Confined to the loop.
///
/// Strangers can open connections and send datagrams. Connections that the lines open themselves, to servers, have a
/// share that no stranger can use up.
final class LineBudgets {
    let datagrams: TurnBudget
    private let ours: TurnBudget
    private let peers: TurnBudget

    init(loop: any EventLoop) {
        (datagrams, ours, peers) = (TurnBudget(loop: loop), TurnBudget(loop: loop), TurnBudget(loop: loop))
    }

    /// The budget for connections that this end opened.
    func streams(of opener: Flow.Opener) -> TurnBudget {
        switch opener {
        case .us: ours
        case .peer: peers
        }
    }

    var statistics: [String: TurnBudget.Statistics] {
        ["datagrams": datagrams.statistics, "servers": ours.statistics, "callers": peers.statistics]
    }

    func close() {
        for budget in [datagrams, ours, peers] { budget.close() }
    }
}
