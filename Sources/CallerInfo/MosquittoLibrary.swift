import CMosquitto

/// libmosquitto, loaded when the first value is made. It stays loaded until the program ends.
package struct MosquittoLibrary {
    /// Why the library cannot be used.
    package struct Missing: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The Debian package that has the library.
    package static let package = "libmosquitto1"

    let functions: cmosquitto

    package init() throws(Missing) {
        var functions = cmosquitto()
        if let why = unsafe cmosquitto_load(&functions) { throw Missing(description: unsafe String(cString: why)) }
        guard functions.lib_init() == 0 else { throw Missing(description: "it does not start") }
        self.functions = functions
    }
}
