import Bench
import Rig

/// Where a person's mouth and ear are.
protocol Speaker {
    var mouth: Wire { get }
    var ear: Wire { get }
}

/// An independent telephone with a person at it.
protocol PeerTelephone: Speaker, AnyObject {
    /// Starts it on a host, under the name `bench`.
    init(folder: String, host: HostPair.Host, sound: SoundCard, port: UInt16) throws

    /// A person hears it ring and answers.
    func answer() throws
    func hangUp() throws
    /// The next of its calls ends.
    func waitForEnd() throws
}
