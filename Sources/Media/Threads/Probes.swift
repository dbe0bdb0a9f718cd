import Synchronization

/// Signs of life: each is a number that goes control → audio → network → event forwarder, as what concerns calls does.
final class Probes: Sendable {
    /// Written by the control thread.
    let asked = Atomic<UInt32>(0)
    /// Written by the event forwarder.
    let answered = Atomic<UInt32>(0)
}

extension Media {
    /// Whether the threads of sound have answered since this was asked before, and asks them again. Until there are threads
    /// nothing is amiss. From the control thread.
    public func isAlive() -> Bool {
        guard let commands = runningCommands else { return true }
        let number = probes.asked.load(ordering: .relaxed)
        let hasAnswered = probes.answered.load(ordering: .relaxed) == number
        if commands.send(.call(.probe(number &+ 1))) { probes.asked.store(number &+ 1, ordering: .relaxed) }
        return hasAnswered
    }
}
