import NIOCore

extension Streams {
    /// How many connections there may be, and how long they may be idle.
    struct Limits {
        /// Each of these three groups has places that no other group can take: connections that we opened, connections
        /// from far ends that the line talks to, and all others.
        var own = 16
        var friends = 16
        var strangers = 16
        /// Connections from one address, in each of the last two groups.
        var ofOneHost = 8
        /// How long a peer's connection may be idle, and how long our own, which a registration needs for longer.
        var peerSilence: TimeAmount = .seconds(120)
        var ownSilence: TimeAmount = .minutes(30)
        var connectTime: TimeAmount = .seconds(5)
        var times = StreamHandler.TimeLimits()
    }
}
