import Base
import PhoneCore

/// A value with a short text for people, which is more than the name of a case.
protocol Brief {
    var brief: String { get }
}

/// The text of an event or effect, in one line: the names of its cases and its values, as the vocabulary has them. A
/// structure that is not `Brief` is left out. The text may contain any text from a far end.
///
/// It is derived from the value itself, so a new case of the vocabulary has its text at once.
func text(of value: some Any, then separator: String = " ") -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, let payload = mirror.children.first, let name = payload.label else {
        return spaced(value)
    }
    let values = Mirror(reflecting: payload.value)
    let texts =
        values.displayStyle == .tuple
        ? values.children.compactMap(labelled) : [shortText(of: payload.value)].compactMap(\.self)
    return spaced(name) + (texts.isEmpty ? "" : separator + texts.joined(separator: ", "))
}

/// One of several values of a case, after its label.
private func labelled(_ child: Mirror.Child) -> String? {
    // Values without a label have the names .0, .1 and so on.
    let label = child.label.flatMap { $0.hasPrefix(".") ? nil : spaced($0) }
        .map { $0.hasPrefix("is ") ? String($0.dropFirst(3)) : $0 }
    guard let label else { return shortText(of: child.value) }
    if let isTrue = child.value as? Bool { return label == "on" ? onOff(isTrue) : isTrue ? label : "not \(label)" }
    if isNil(child.value) { return nil }
    return shortText(of: child.value).map { "\(label) \($0)" }
}

private func shortText(of value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    if isNil(value) { return mirror.subjectType == CallID?.self ? nil : "none" }
    switch value {
    case let brief as any Brief: return brief.brief
    case let isTrue as Bool: return onOff(isTrue)
    case let text as String: return text.shown(bytes: 96)
    case let texts as [String]: return texts.isEmpty ? "none" : texts.joined(separator: " ")
    case let list as any Collection: return "\(list.count)"
    case let number as any Numeric: return "\(number)"
    case let name as any CustomStringConvertible: return name.description
    case _ where mirror.displayStyle == .enum: return text(of: value)
    case _ where mirror.displayStyle == .optional: return mirror.children.first.flatMap { shortText(of: $0.value) }
    default: return nil
    }
}

private func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
}

extension PhoneEvent {
    var words: String { text(of: self, then: ": ") }
}

extension PhoneEffect {
    var words: String {
        if case .control(.notice(let notice)) = self { return "notice: \(text(of: notice))" }
        return text(of: self, then: ": ")
    }
}
