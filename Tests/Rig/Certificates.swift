import Foundation

/// Certificates made by openssl for one test, in a folder that is removed with it.
public final class Certificates {
    public let folder: String

    public init() throws {
        folder = NSTemporaryDirectory() + "offhook-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=Test Authority", "-keyout", file("ca.key"), "-out", file("ca.pem"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    public var authority: String { file("ca.pem") }
    public func certificate(_ name: String) -> String { file(name + ".pem") }
    public func key(_ name: String) -> String { file(name + ".key") }

    /// A certificate signed by the authority, or self-signed.
    /// - Parameter names: As openssl writes them: `DNS:example.org, URI:sip:example.org, IP:127.0.0.1`.
    /// - Parameter days: 0: it has expired when it is made.
    /// - Parameter usage: `serverAuth`: it is for servers only. Nil: for everything.
    public func make(
        _ name: String, _ names: String, isSelfSigned: Bool = false, days: Int = 2, usage: String? = nil
    ) throws {
        let more = usage.map { "extendedKeyUsage = \($0)\n" } ?? ""
        try "subjectAltName = \(names)\nbasicConstraints = CA:FALSE\n\(more)".write(
            toFile: file(name + ".ext"), atomically: true, encoding: .utf8)
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=common.example",
            "-keyout", key(name), "-out", file(name + ".csr"))
        let signer =
            isSelfSigned ? ["-signkey", key(name)] : ["-CA", authority, "-CAkey", file("ca.key"), "-CAcreateserial"]
        try openssl(
            [
                "x509", "-req", "-in", file(name + ".csr"), "-days", "\(days)", "-extfile", file(name + ".ext"), "-out",
                certificate(name),
            ]
                + signer)
    }

    /// Its DER form.
    public func der(_ name: String) throws -> [UInt8] {
        let text = try String(contentsOfFile: certificate(name), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        guard let der = Data(base64Encoded: lines.joined()) else { throw CocoaError(.fileReadCorruptFile) }
        return Array(der)
    }

    /// Its SHA-256 fingerprint, as `openssl x509 -fingerprint` writes it.
    public func fingerprint(_ name: String) throws -> String {
        let text = try openssl("x509", "-in", certificate(name), "-noout", "-fingerprint", "-sha256")
        return text.split(separator: "=").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    }

    private func file(_ name: String) -> String { folder + "/" + name }

    @discardableResult
    private func openssl(_ words: String...) throws -> String { try openssl(words) }

    @discardableResult
    private func openssl(_ words: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = words
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(
                .featureUnsupported, userInfo: [NSDebugDescriptionErrorKey: String(decoding: complaint, as: UTF8.self)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
