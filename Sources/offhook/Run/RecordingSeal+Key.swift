import Media
import Vault

extension RecordingSeal {
    /// Seals recordings so that only the vault's key opens them.
    init(_ key: VaultKey) {
        self.init(suffix: SealedRecording.suffix) {
            let recording = SealedRecording(with: key)
            return Stream(opening: recording.opening) { recording.seal($0, number: $1, isLast: $2) }
        }
    }
}
