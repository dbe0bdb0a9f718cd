/// A person's choices of sound, panel and trust on a page. Nil means no choice and leaves the files unchanged. The
/// texts are unchecked; the planner accepts only what this machine has.
public struct SetupChoices: Equatable, Sendable {
    /// In bytes.
    static let longest = 256

    /// The country of the tones, as two letters.
    public var country: String?
    /// A device from `getSetup`, or `none`.
    public var handset: String?
    public var speaker: String?
    public var headset: String?
    public var ringer: String?
    /// The name of a board file from `getSetup`.
    public var board: String?
    /// The account whose server is pinned.
    public var label: String?
    /// The SHA-256 of the only certificate that its server may show.
    public var pin: String?
    /// The PEM file of the authorities that sign the servers' certificates.
    public var authorities: String?

    public init() {}

    init(_ params: RPCParams) throws(RPCError) {
        country = try params.optionalText("country", limit: Self.longest)
        handset = try params.optionalText("handset", limit: Self.longest)
        speaker = try params.optionalText("speaker", limit: Self.longest)
        headset = try params.optionalText("headset", limit: Self.longest)
        ringer = try params.optionalText("ringer", limit: Self.longest)
        board = try params.optionalText("board", limit: Self.longest)
        label = try params.optionalText("label", limit: Self.longest)
        pin = try params.optionalText("pin", limit: Self.longest)
        authorities = try params.optionalText("authorities", limit: Self.longest)
        guard (pin == nil) == (label == nil) else {
            throw .invalidParams("pin and label must be given together")
        }
    }
}
