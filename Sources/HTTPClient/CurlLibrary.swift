import CCurl

/// libcurl, loaded when the first value is made. It stays loaded until the program ends.
@safe
package final class CurlLibrary {
    /// Why the library cannot be used.
    package struct Missing: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The Debian package that has the library.
    package static let package = "libcurl4"
    package static let file = "libcurl.so.4"
    /// 7.87: the first version that ends without waiting for DNS. Debian 12 has 7.88.
    private static let oldest = 0x07_57_00

    let functions: UnsafePointer<ccurl>

    /// - Parameter file: Its name, or for tests that of another library.
    package init(_ file: String = file) throws(Missing) {
        let table = UnsafeMutablePointer<ccurl>.allocate(capacity: 1)
        unsafe table.initialize(to: ccurl())
        unsafe functions = UnsafePointer(table)
        if let why = unsafe ccurl_load(table, file) {
            throw Missing(description: unsafe String(cString: why) + "; install the package " + Self.package)
        }
        guard unsafe functions.pointee.global_init(CCURL_EVERYTHING) == CCURL_OK else {
            throw Missing(description: "\(file) does not start")
        }
        let version = unsafe ccurl_version_number(functions)
        guard version >= Self.oldest else {
            throw Missing(description: "\(file) is too old; install the package \(Self.package) of Debian 12 or later")
        }
        // Its connections are verified by our OpenSSL, so it must be the same one.
        let tls = unsafe ccurl_tls(functions).map { unsafe String(cString: $0) } ?? "no TLS"
        guard tls.contains("OpenSSL/3") else {
            throw Missing(description: "\(file) uses \(tls) instead of OpenSSL 3; install the package \(Self.package)")
        }
    }

    deinit { unsafe functions.deallocate() }
}
