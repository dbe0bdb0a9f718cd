import Base
import CFrontPanel
import Cryptography
import NIOCore

/// A part of the front panel's page, which is in the program. No file of the disk is served.
enum PanelFile: String, CaseIterable {
    case html = "/"
    case style = "/panel.css"
    case script = "/panel.js"

    init?(path: Substring) { self.init(rawValue: String(path)) }

    var contentType: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .script: "text/javascript; charset=utf-8"
        }
    }

    var content: ByteBuffer {
        let file =
            switch self {
            case .html: unsafe cfrontpanel_html()
            case .style: unsafe cfrontpanel_css()
            case .script: unsafe cfrontpanel_js()
            }
        return unsafe ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.count))
    }

    /// By which a browser finds out whether it has the newest one (RFC 9110 §8.8.3).
    static func tag(of content: ByteBuffer) -> String {
        "\"\(Digest.sha256(Array(content.readableBytesView)).prefix(16).hexadecimal)\""
    }
}
