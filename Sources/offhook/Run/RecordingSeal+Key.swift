import Media
import Vault

extension RecordingSeal {
    /// Recordings that only the vault's key opens.
    init(_ key: VaultKey) {
        self.init(suffix: SealedRecording.suffix) {
            let recording = SealedRecording(with: key)
            return Stream(opening: recording.opening) { recording.seal($0, number: $1, isLast: $2) }
        }
    }
}
