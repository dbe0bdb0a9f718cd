/// The parameters, effect and result of one method, for people and for generators of clients.
public struct MethodReference: Sendable {
    public let parameters: [MethodParameter]
    /// One sentence or more, as Markdown.
    public let does: String
    /// The members of the result, as Markdown; nil if the result is the empty object.
    public let result: String?

    init(_ parameters: [MethodParameter], _ does: String, result: String? = nil) {
        (self.parameters, self.does, self.result) = (parameters, does, result)
    }

    init(does: String, result: String? = nil) { self.init([], does, result: result) }
}
