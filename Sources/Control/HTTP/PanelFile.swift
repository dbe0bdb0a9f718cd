import Base
import CFrontPanel
import Cryptography
import JSON
import NIOCore
import PhoneCore

/// A part of the front panel's page, which is compiled into the program. The server serves no file of the disk.
enum PanelFile: String, CaseIterable {
    case html = "/"
    case style = "/panel.css"
    case script = "/panel.js"
    // Modules that the script imports.
    case words = "/words.js"
    case link = "/link.js"
    case page = "/page.js"
    case bell = "/bell.js"
    case phone = "/phone.js"
    case ladder = "/ladder.js"
    case views = "/views.js"
    case cards = "/cards.js"
    case setup = "/setup.js"
    case setupFiles = "/setup-files.js"
    case setupAccounts = "/setup-accounts.js"
    case backend = "/backend.js"
    case keys = "/keys.js"
    case setupWords = "/setup-words.js"
    case faultWords = "/fault-words.js"
    case health = "/health.js"
    case touch = "/touch.js"
    /// Made from the table of reasons.
    case reasons = "/reasons.js"
    // For the home screen of a phone or tablet.
    case manifest = "/manifest.webmanifest"
    case icon = "/icon.png"

    init?(path: Substring) { self.init(rawValue: String(path)) }

    var contentType: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .script, .words, .link, .page, .bell, .phone, .ladder, .views, .cards, .setup, .setupFiles,
            .setupAccounts, .backend, .keys, .setupWords, .faultWords, .health, .touch, .reasons:
            "text/javascript; charset=utf-8"
        case .manifest: "application/manifest+json"
        case .icon: "image/png"
        }
    }

    /// The bytes, and the entity tag with which a browser checks for new content (RFC 9110 §8.8.3). Both are made once;
    /// all answers share the bytes.
    var content: (body: ByteBuffer, tag: String) {
        guard let content = Self.contents[self] else { preconditionFailure("every file has content") }
        return content
    }

    private static let contents = Dictionary(
        uniqueKeysWithValues: allCases.map { file in
            let bytes = file.bytes
            return (file, (body: ByteBuffer(bytes: bytes), tag: "\"\(Digest.sha256(bytes).prefix(16).hexadecimal)\""))
        })

    private var bytes: [UInt8] {
        let file: cfrontpanel_file
        switch self {
        case .reasons: return EndReason.script
        case .html: unsafe file = cfrontpanel_html()
        case .style: unsafe file = cfrontpanel_css()
        case .script: unsafe file = cfrontpanel_js()
        case .words: unsafe file = cfrontpanel_words()
        case .link: unsafe file = cfrontpanel_link()
        case .page: unsafe file = cfrontpanel_page()
        case .bell: unsafe file = cfrontpanel_bell()
        case .phone: unsafe file = cfrontpanel_phone()
        case .ladder: unsafe file = cfrontpanel_ladder()
        case .views: unsafe file = cfrontpanel_views()
        case .cards: unsafe file = cfrontpanel_cards()
        case .setup: unsafe file = cfrontpanel_setup()
        case .setupFiles: unsafe file = cfrontpanel_setup_files()
        case .setupAccounts: unsafe file = cfrontpanel_setup_accounts()
        case .backend: unsafe file = cfrontpanel_backend()
        case .keys: unsafe file = cfrontpanel_keys()
        case .setupWords: unsafe file = cfrontpanel_setup_words()
        case .faultWords: unsafe file = cfrontpanel_fault_words()
        case .health: unsafe file = cfrontpanel_health()
        case .touch: unsafe file = cfrontpanel_touch()
        case .manifest: unsafe file = cfrontpanel_manifest()
        case .icon: unsafe file = cfrontpanel_icon()
        }
        return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}

extension EndReason {
    /// The labels of all reasons as a module of the page, under the keys of its texts.
    fileprivate static var script: [UInt8] {
        let keyed =
            (plain + [.rejected(400)]).map { ("reason.\($0.code)", $0.label) }
            + [("reason.rejected.401", EndReason.rejected(401).label)]
        let labels = keyed.reduce(into: [String: JSONValue]()) { labels, entry in
            if let label = entry.1 { labels[entry.0] = .array(label.map { .string($0) }) }
        }
        return Array("export const REASONS = \(JSONValue.object(labels).text);\n".utf8)
    }
}
