import SDPCore
import SIPCore

extension MediaNegotiation {
    /// Answers an offer inside a dialog.
    mutating func answer(
        _ offer: [UInt8], held: Bool, context: inout LineContext
    ) throws(RequestRefusal) -> SessionDescription {
        let description: SessionDescription
        do throws(SDPParseError) { description = try SessionDescription(parsing: offer) } catch {
            throw RequestRefusal(.notAcceptableHere, error)
        }
        do throws(NegotiationError) {
            return try answer(to: description, held: held, using: &context.generator).description
        } catch {
            throw RequestRefusal(error)
        }
    }
}
