/// A value with its file and key path, so that an error can name them.
struct YAMLPlace {
    let file: String
    let steps: [YAMLKey.Step]
    let node: YAMLNode
    /// Nil: nobody wants to know the keys.
    let record: YAMLRecord?

    var path: String { steps.path }

    func child(_ key: String, _ node: YAMLNode) -> YAMLPlace {
        YAMLPlace(file: file, steps: steps + [.key(key)], node: node, record: record)
    }

    func element(_ index: Int, _ node: YAMLNode) -> YAMLPlace {
        YAMLPlace(file: file, steps: steps + [.element(index)], node: node, record: record)
    }

    /// Notes this value, which is an element of a list or an entry of a table.
    func note(_ form: YAMLForm) {
        record?.note(
            YAMLKey(steps: steps, form: form, isAsked: false, isRequired: false, usual: nil, varies: false, node: node))
    }

    func error(_ problem: YAMLError.Problem, at mark: YAMLMark? = nil) -> YAMLError {
        YAMLError(file: file, mark: mark ?? node.mark, path: path, problem: problem)
    }

    func error(expected: String) -> YAMLError { error(.expected(expected, found: node.summary)) }
}
