import PhoneCore
import YAML

/// The callers whose calls the phone answers automatically. All other calls wait for a person.
struct AutoAnswerSection: YAMLReadable {
    let policy: AutoAnswerPolicy

    init(from section: inout YAMLSection) throws(YAMLError) {
        var policy = AutoAnswerPolicy()
        policy.callers = try section.required("callers", .list(of: .listedCaller(), count: 1...256))
        policy.onlyWhenAsked = try section.optional("only_when_asked", .bool(), usual: policy.onlyWhenAsked)
        policy.route = try section.optional("route", .choice(), usual: policy.route)
        self.policy = policy
    }
}
