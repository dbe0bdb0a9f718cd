/// Why the phone does not dial a link.
package enum DialLinkError: Error, Equatable, CustomStringConvertible {
    case tooLong
    case noNumber
    case code
    case elsewhere
    case password
    /// The link has a mandatory parameter that this phone does not support. With its name.
    case unknownDemand(String)

    package var description: String {
        switch self {
        case .tooLong: "the link is longer than \(DialLink.longest) bytes"
        case .noNumber: "the link has neither a telephone number nor an address"
        case .code: "a link may dial a number, but no code with * or #"
        case .elsewhere: "the link's number is valid only inside a private network"
        case .password: "the link contains a password, so it is not dialled"
        case .unknownDemand(let name): "the link requires \"\(name)\", which this phone does not support in links"
        }
    }
}
