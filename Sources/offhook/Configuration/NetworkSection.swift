import PhoneCore
import YAML

/// Whether to watch the machine's network, and how long calls survive without it.
struct NetworkSection: YAMLReadable {
    /// A phone whose servers are all on its own machine needs no network.
    var isWatched = true
    /// How long a call waits without any network before it ends.
    var timeout = PhonePolicy().networkTime
    /// How long a call may take to move to another path after its path broke.
    var reconnectTimeout = PhonePolicy().reconnectTime

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        let times = YAMLShape.duration(in: .seconds(5) ... .seconds(600))
        isWatched = try section.optional("watch", .bool(), usual: isWatched)
        timeout = try section.optional("timeout", times, usual: timeout)
        reconnectTimeout = try section.optional("reconnect_timeout", times, usual: reconnectTimeout)
    }
}
