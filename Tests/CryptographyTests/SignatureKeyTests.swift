import Cryptography
import Foundation
import Testing

/// Signatures of JSON Web Tokens, by the vectors of RFC 7515.
@Suite struct SignatureKeyTests {
    /// Decodes base 64 for URLs (RFC 7515 §2).
    private static func decoded(_ text: String) throws -> [UInt8] {
        let usual = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - usual.utf8.count % 4) % 4)
        return Array(try #require(Data(base64Encoded: usual + padding)))
    }

    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// Appendix A.2.
    private struct RSAVector {
        let key: SignatureKey
        let message = Array(("eyJhbGciOiJSUzI1NiJ9." + SignatureKeyTests.payload).utf8)
        let signature: [UInt8]
        let modulus: [UInt8]

        init() throws {
            modulus = try SignatureKeyTests.decoded(
                "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-"
                    + "yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-"
                    + "bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-"
                    + "UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-"
                    + "DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ")
            signature = try SignatureKeyTests.decoded(
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-"
                    + "0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--"
                    + "f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqt"
                    + "FZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77"
                    + "Rw")
            key = .rsa(modulus: modulus, exponent: [1, 0, 1])
        }
    }

    /// Appendix A.3.
    private struct CurveVector {
        let x: [UInt8]
        let y: [UInt8]
        let message = Array(("eyJhbGciOiJFUzI1NiJ9." + SignatureKeyTests.payload).utf8)
        let signature: [UInt8]
        var key: SignatureKey { .p256(x: x, y: y) }

        init() throws {
            x = try SignatureKeyTests.decoded("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
            y = try SignatureKeyTests.decoded("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
            signature = try SignatureKeyTests.decoded(
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        }
    }

    @Test func vectorsAreVerified() throws {
        let (rsa, curve) = (try RSAVector(), try CurveVector())
        #expect(rsa.key.verifies(rsa.signature, of: rsa.message))
        #expect(curve.key.verifies(curve.signature, of: curve.message))
        #expect(!rsa.key.verifies(rsa.signature, of: curve.message))
        #expect(!curve.key.verifies(curve.signature, of: rsa.message))
        #expect(!curve.key.verifies(rsa.signature, of: rsa.message))
        #expect(!rsa.key.verifies(curve.signature, of: curve.message))
    }

    @Test func everyChangedByteIsNoticed() throws {
        let (rsa, curve) = (try RSAVector(), try CurveVector())
        for place in stride(from: 0, to: rsa.signature.count, by: 5) {
            var changed = rsa.signature
            changed[place] ^= 1
            #expect(!rsa.key.verifies(changed, of: rsa.message))
        }
        for place in curve.signature.indices {
            var changed = curve.signature
            changed[place] ^= 0x80
            #expect(!curve.key.verifies(changed, of: curve.message))
        }
        for place in rsa.message.indices {
            var changed = rsa.message
            changed[place] ^= 2
            #expect(!rsa.key.verifies(rsa.signature, of: changed))
        }
    }

    @Test func signatureOfAnotherLengthIsRejected() throws {
        let (rsa, curve) = (try RSAVector(), try CurveVector())
        for signature in [[], rsa.signature.dropLast(), rsa.signature + [0], [0] + rsa.signature] {
            #expect(!rsa.key.verifies(Array(signature), of: rsa.message))
        }
        // Zeros as r or s, and a DER form.
        let zeros = [UInt8](repeating: 0, count: 32)
        let (r, s) = (Array(curve.signature.prefix(32)), Array(curve.signature.suffix(32)))
        let wrong: [[UInt8]] = [
            [], Array(curve.signature.dropLast()), curve.signature + [0], zeros + zeros, zeros + s, r + zeros, s + r,
            [0x30, 0x44, 2, 32] + r + [2, 32] + s, [UInt8](repeating: 0xFF, count: 64),
        ]
        for signature in wrong { #expect(!curve.key.verifies(signature, of: curve.message)) }
    }

    @Test func unusableKeyVerifiesNothing() throws {
        let (rsa, curve) = (try RSAVector(), try CurveVector())
        for exponent: [UInt8] in [[], [0], [1], [2], [1, 0, 2], [0, 0, 0, 1, 0, 1], [3]] {
            #expect(
                !SignatureKey.rsa(modulus: rsa.modulus, exponent: exponent).verifies(rsa.signature, of: rsa.message))
        }
        #expect(!SignatureKey.rsa(modulus: [], exponent: [1, 0, 1]).verifies([], of: rsa.message))
        let zeros = [UInt8](repeating: 0, count: 32)
        for (x, y) in [
            (curve.y, curve.x), (zeros, zeros), (curve.x, zeros), ([], []), (curve.x, [0] + curve.y),
            ([UInt8](repeating: 0xFF, count: 32), curve.y),
        ] {
            #expect(!SignatureKey.p256(x: x, y: y).verifies(curve.signature, of: curve.message))
        }
    }

    /// Valid signatures of keys with 1024 and 4160 bits: too weak, and too slow on a board.
    @Test func keyOfAnotherSizeIsRejected() throws {
        let small = try Self.decoded(
            "zFsPnHwjxCquOedxa8T2EKFmUDGNFPlZHfxGMROV4nt6xtq-18C5zhMSCUkJudpnIRh2srV1a_ShcKALj9Ef3N0t-"
                + "k3yGwE2H6ZLtYGuvIC6Ysn8i-3FPws-ySV858XuYZWVnYjz9bh23ngjeTCWYV_b3p_2uASoGjSlVCpipUE")
        let smallSignature = try Self.decoded(
            "dcvwuWQKjPqn-xwG5acpA2X-NvZg1MFmfmiLyZnXGhIfvbEziw3Imwch6639o_I6645RqiwAPSWbJX-"
                + "flz9YHiX_y8tgXRaLcXw1ruZ9dg_lfeXnH3SDYf2SJ3OZFluJ4d2YPxhmcFID5wkRduqq6JrNm4N6WU73FeF-DTD9cDE")
        let large = try Self.decoded(
            "nZd4wsgOVlvvHAmO2cCV-WMWTUC-aak4k97SqVJ5TpFHXt5UYLMBsixG4_TRVpoBcgGTpoWfkVCmg7mK68Nb_Lnk8k9rBf8Q_CdY"
                + "PEjzVd43OST5i0MHonoydpWSlg73yX1juefUSIb9igUsqObUCNcJdvF6T1u00H5sRBTFZWe2Ku_1wQijmq43_xphzdE9lwiysygT"
                + "eHXrQWt00o6NDBzJLWMg1x2KO1xCfFqeadaB-FAGG_MPy0lQJIfLxurGE3RsUjzlUOECyojlN1GCKjrycXpccE9iKxRwx2GwMU7b"
                + "15DzZOkqFwtb4BbqOF1jfgACD9hvRLqq73fRkAgdEktyIU2OqR1HV6h8HtjQJXP2tIqXd6kExlXRBqPsrTpUPhWgt3PoLN5Aqnid"
                + "txqRNr2CX-s1hJ5lPWC99x9b-s7v-"
                + "9IDzB_PvmkdeEhxXtq0Ljy39h9DUDekuAtXonrwNwUx2K1aM39omZXqyo6BsA2kHBsggDnd5S8wxa1KUEc86uvMx_LuztgAHY-"
                + "E3aFOha6BDppjurAFrydgdh-iUYjOVu4RLjo7eDxLP0PAslFLzorqobTwuNIqQ8h8lX5iaozzH11PX7EFVjUiRwbU8ftror7DROX"
                + "9nSTIOBszeUZK35ay96Qu7CF9ZsrKhatai-Hgu_x-qYToS7oMdheNdpp5_6wrdUeroQ")
        let largeSignature = try Self.decoded(
            "kQKIyKUZAA6j26fPYKAY5HHno3xBPDyxe9CYs6V0aStD8zvDr5W3aSLBYFdbawbhnS4lCcEcl6zX-"
                + "0awnpEPNtTETViPPMabe4XByKrIlas_1oPUn90fexUEPgklZPDEcSqP9jO0VOo8y81xsRx_gwDb__7H2Qoh6BJ-"
                + "f00VkFf0js3eJKi_SXlIShgilL_uM_-Lg0dqW5zIDbcMWireTtv0YvNlh3SDAFeL_Tahs1K909AlvhggiS9zSfabWeV8xxSc3KPT"
                + "UO6ttALnnk7S0TLiHGD2U5i6lvdJVX_-"
                + "YSFef-25mOvXyWeGihp4hdTkPBQBi_be-6QG71tCItRl27uSeOf9Jk0pv0LwKeo3WmlUCIB_UI5UAgTzI_j-Noiia0cfZP631k_a"
                + "t1Ke1icA3iqsoOhmLNPGlbkiZhb3GeRS8_B4I8OzKUV6p8edvUWEo5t-"
                + "_uW2MvurOnicAnXAV4X0piVlv0cD5hEErsyE6mhDkICYJyY2OI3hjCxEnXoAQeojztF2PBJthqwd8Dr9mO3IYKhk1Yw34yfntqBw"
                + "aEQXex_GwZVG3xwRLSnNx8l9s1_tuKVZfEE62ioJnMUeYpWYj22wuQ7O_e9aFmg5UzXu5gz-"
                + "qBY8uS7pXB9aQbcfuMBNCjGdF1tQJb5EaQ7Rs_JlAVoLYSKaGavrSbAmpN6sBEKPSaJweg")
        let message = Array("Offhook".utf8)
        #expect(small.count == 128 && large.count == 520)
        #expect(!SignatureKey.rsa(modulus: small, exponent: [1, 0, 1]).verifies(smallSignature, of: message))
        #expect(!SignatureKey.rsa(modulus: large, exponent: [1, 0, 1]).verifies(largeSignature, of: message))
    }
}
