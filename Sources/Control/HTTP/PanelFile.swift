import Base
import CFrontPanel
import Cryptography
import NIOCore

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

    init?(path: Substring) { self.init(rawValue: String(path)) }

    var contentType: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .script, .words, .link, .page, .bell, .phone, .ladder, .views, .cards, .setup, .setupFiles,
            .setupAccounts, .backend, .keys, .setupWords:
            "text/javascript; charset=utf-8"
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
        let file =
            switch self {
            case .html: unsafe cfrontpanel_html()
            case .style: unsafe cfrontpanel_css()
            case .script: unsafe cfrontpanel_js()
            case .words: unsafe cfrontpanel_words()
            case .link: unsafe cfrontpanel_link()
            case .page: unsafe cfrontpanel_page()
            case .bell: unsafe cfrontpanel_bell()
            case .phone: unsafe cfrontpanel_phone()
            case .ladder: unsafe cfrontpanel_ladder()
            case .views: unsafe cfrontpanel_views()
            case .cards: unsafe cfrontpanel_cards()
            case .setup: unsafe cfrontpanel_setup()
            case .setupFiles: unsafe cfrontpanel_setup_files()
            case .setupAccounts: unsafe cfrontpanel_setup_accounts()
            case .backend: unsafe cfrontpanel_backend()
            case .keys: unsafe cfrontpanel_keys()
            case .setupWords: unsafe cfrontpanel_setup_words()
            }
        return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
