import NIOCore
import SIPCore
import Turns

extension Streams {
    enum Event {
        case message([UInt8], Flow), skipped(Int, Flow)
        /// An answer to our keep-alive.
        case pong(Flow)
        /// The received bytes are not a SIP message. The connection closes when everything written to it has left.
        case broken([UInt8], Flow)
        /// A connection was refused, or closed to make room for another.
        case refused
        /// The connection is closed, or could not be opened; with the reason if it is worth a report.
        case closed(Flow, StreamFault?)
        /// Whether peers can connect to this port at present.
        case listening(Bool, UInt16)
    }

    /// How many connections are allowed, and how long they may be idle.
    struct Limits {
        /// Each group has places that no other group can take. The groups are connections that we opened, connections
        /// from far ends that the line talks to, and all others.
        var own = 16
        var friends = 16
        var strangers = 16
        /// Connections from one address, in each of the last two groups.
        var ofOneHost = 8
        /// How long a peer's connection may be idle, and how long our own. Ours may be idle for longer, because a
        /// registration needs it.
        var peerSilence: TimeAmount = .seconds(120)
        var ownSilence: TimeAmount = .minutes(30)
        var connectTime: TimeAmount = .seconds(5)
        var times = StreamHandler.TimeLimits()
    }
}

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
