import HTTPClient

/// Checks whether the phone can send requests to a backend. A phone without one needs no library for it.
package enum WebLibraryCheck {
    /// - Parameter fault: Why libcurl cannot be used.
    package static func finding(_ fault: String? = HTTPClient.libraryFault()) -> DoctorFinding {
        guard let fault else { return .ok("web requests", "libcurl can be used") }
        return .fail("web requests", fault, "apt install \(CurlLibrary.package)")
    }
}
