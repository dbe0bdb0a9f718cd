/// A command was understood but could not be carried out. Unlike a `ValidationError`, it is shown without usage help.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
