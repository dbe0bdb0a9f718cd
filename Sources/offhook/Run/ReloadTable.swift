import YAML

/// Decides for each key of the configuration whether a change takes effect while the phone runs.
package enum ReloadTable {
    package enum Effect: Sendable {
        /// The change takes effect at once.
        case live
        /// The running phone keeps the former value until its next start.
        case restart
    }

    /// Sections, and keys that differ from their section. The longest path that begins a key's path decides.
    package static let entries: [(path: String, effect: Effect)] = [
        ("board", .restart), ("vault", .restart), ("control", .restart), ("sip", .live), ("media", .restart),
        ("sound", .restart), ("backend", .live), ("caller_info", .live), ("calls", .live), ("panel", .live),
        ("paging", .restart), ("network", .live),
        ("relays", .live), ("alarms", .live), ("on_event", .live), ("log", .live),
        // Media and the network's watch use the addresses, too. Broker and backend use the authorities, too.
        ("sip.address", .restart), ("sip.tls.authorities", .restart),
        // The part of the machine or of the lines, in a section whose rest belongs to other adapters.
        ("media.silence_timeout", .live), ("media.codecs", .live), ("media.suites", .live), ("media.packet", .live),
        ("sound.self_test", .live),
        // An adapter's part of a section whose rest belongs to the machine: files, the network's watch.
        ("calls.recording", .restart), ("calls.playing", .restart), ("network.watch", .restart),
    ]

    package static func effect(of key: [YAMLKey.Step]) -> Effect {
        let matching = entries.filter { key.starts(with: steps($0.path)) }
        return matching.max { $0.path.count < $1.path.count }?.effect ?? .restart
    }

    /// The new configuration, with the running values of all keys that need a restart.
    package static func merged(_ new: YAMLNode, running: YAMLNode) -> YAMLNode {
        entries.sorted { $0.path.count < $1.path.count }.reduce(new) { merged, entry in
            let path = steps(entry.path)
            let source = entry.effect == .live ? new : running
            guard let value = source.value(at: path) else { return merged.removing(path) ?? merged }
            return merged.setting(path, to: value) ?? merged
        }
    }

    private static func steps(_ path: String) -> [YAMLKey.Step] {
        path.split(separator: ".").map { .key(String($0)) }
    }
}
