import Base
import Synchronization

/// The names of one file's secrets: counted from 1, in the order of their first appearance.
///
/// It keeps no secret, only what the process's randomly keyed hash makes of it: 64 bits, which two of the thousands of
/// secrets of a file share less often than once in 10¹¹ files.
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
