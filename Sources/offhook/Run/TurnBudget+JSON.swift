import Base
import JSON
import Turns

extension TurnBudget.Statistics {
    /// The statistics in the form of `getStatistics`.
    var json: JSONValue {
        [
            "pieces": .integer(Int64(pieces)), "delayed": .integer(Int64(delayed)),
            "waiting": .integer(Int64(waiting)), "mostInTurn": .integer(Int64(mostInTurn)),
            "longestTurnMs": .number(longestTurn.milliseconds),
        ]
    }
}
