import Base
import CallerInfoCore

/// A message of the broker. One that reads must describe a call within limits, and its age must count.
func fuzzCallerInfo(_ input: [UInt8]) {
    var intake = CallerInfoIntake(topic: "t")
    let time: Int64 = 1_700_000_000_000_000_000
    let verdict = intake.judge(input, length: input.count, topic: "t", time: time, at: .zero)
    switch verdict {
    case .take(let message):
        precondition(!message.callerNumber.isEmpty || !message.ids.isEmpty, "a call without any name")
        precondition(message.ids.allSatisfy { $0.utf8.count <= 128 } && message.callerNumber.utf8.count <= 128)
        precondition(time - message.sent <= CallerInfoIntake.longestAge.nanoseconds, "an old call")
        precondition(intake.taken == 1 && intake.dropped.isEmpty)
    case .drop(let reason, let why):
        precondition(intake.dropped == [reason: 1] && intake.taken == 0, "counted once")
        precondition(!why.isEmpty && why.utf8.count < 256, "a reason for a person")
    }
}
