/// A value with its file and key path, so that an error can name them.
struct YAMLPlace {
    let file: String
    let path: String
    let node: YAMLNode

    func child(_ key: String, _ node: YAMLNode) -> YAMLPlace {
        YAMLPlace(file: file, path: path.isEmpty ? key : "\(path).\(key)", node: node)
    }

    func element(_ index: Int, _ node: YAMLNode) -> YAMLPlace {
        YAMLPlace(file: file, path: "\(path)[\(index + 1)]", node: node)
    }

    func error(_ problem: YAMLError.Problem, at mark: YAMLMark? = nil) -> YAMLError {
        YAMLError(file: file, mark: mark ?? node.mark, path: path, problem: problem)
    }

    func error(expected: String) -> YAMLError { error(.expected(expected, found: node.summary)) }
}
