import Bench

extension RigPhone {
    /// Holds and resumes; the others see each change.
    func holdAndResume(seenBy others: RigPhone...) throws {
        for (request, event) in [("hold", "callHeld"), ("resume", "callResumed")] {
            try ask(request)
            for phone in others { try phone.wait(for: event) }
        }
    }
}
