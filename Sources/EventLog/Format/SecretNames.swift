import Base
import Synchronization

/// The names of one file's secrets: numbers from 1, in the order of their first appearance.
///
/// It keeps no secret, only the process's randomly keyed hash of it. The hash has 64 bits: among thousands of secrets
/// in a file, two share a hash less often than once in 10¹¹ files.
final class SecretNames: SecretNaming, Sendable {
    private let names = Mutex<[Int: Int]>([:])

    func name(of secret: AnyHashable) -> Int {
        let hash = secret.hashValue
        return names.withLock { names in
            if let name = names[hash] { return name }
            names[hash] = names.count + 1
            return names.count
        }
    }
}
