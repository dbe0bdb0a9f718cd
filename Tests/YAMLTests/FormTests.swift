import Testing
import YAML

@Suite("YAML: values with several forms")
struct FormTests {
    struct Pair: YAMLReadable {
        let first: Int

        init(from section: inout YAMLSection) throws(YAMLError) {
            first = try section.required("first", .integer(in: 0...9))
        }
    }

    struct Everything: YAMLReadable {
        let numbers: [Int]?
        let maybe: Int??

        init(from section: inout YAMLSection) throws(YAMLError) {
            let one = YAMLShape<Int>.integer(in: 0...9)
            numbers = try section.optional(
                "numbers",
                .oneOf(
                    word: one.map { [$0] }, list: .list(of: one, count: 1...3),
                    mapping: YAMLShape.section(Pair.self).map { [$0.first] }
                ))
            maybe = try section.optional("maybe", .oneOf(word: .choice([("off", Int?.none)]), list: nil))
        }
    }

    private func read(_ text: String) throws(YAMLError) -> Everything {
        try YAMLDocument(Array(text.utf8), file: "t.yaml").read()
    }

    @Test("every form is read", arguments: [("7", [7]), ("[1, 2]", [1, 2]), ("{first: 3}", [3])])
    func everyFormIsRead(text: String, numbers: [Int]) throws {
        #expect(try read("numbers: \(text)\n").numbers == numbers)
    }

    @Test("a word may mean nothing, unlike an absent key")
    func wordMayMeanNothingUnlikeAbsentKey() throws {
        #expect(try read("maybe: off\n").maybe == .some(.none))
        #expect(try read("numbers: 1\n").maybe == .none)
    }

    @Test(
        "each form keeps its own errors",
        arguments: [
            ("numbers: 10", "t.yaml:1:10: numbers: expected a whole number from 0 to 9, found \"10\""),
            ("numbers: [1, x]", "t.yaml:1:14: numbers[2]: expected a whole number from 0 to 9, found \"x\""),
            ("numbers: {firs: 1}", "did you misspell it as \"firs\"?"),
            ("numbers: {first: x}", "numbers.first: expected"),
            ("maybe: on", "maybe: expected off, found \"on\""), ("maybe: [off]", "maybe: expected off, found a list"),
            ("maybe: {a: 1}", "maybe: expected off, found a mapping"),
        ])
    func eachFormKeepsItsOwnErrors(text: String, message: String) throws {
        let error = try #require(throws: YAMLError.self) { try read(text + "\n") }
        #expect(error.description.contains(message), "\(error)")
    }
}
