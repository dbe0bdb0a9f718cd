import PhoneCore
import YAML

/// How long calls survive without the network.
struct NetworkSection: YAMLReadable {
    /// The time without any network.
    var timeout = PhonePolicy().networkTime
    /// The time from the moment at which the path broke until the call continues on another one.
    var reconnectTimeout = PhonePolicy().reconnectTime

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        let times = YAMLShape.duration(in: .seconds(5) ... .seconds(600))
        timeout = try section.optional("timeout", times) ?? timeout
        reconnectTimeout = try section.optional("reconnect_timeout", times) ?? reconnectTimeout
    }
}
