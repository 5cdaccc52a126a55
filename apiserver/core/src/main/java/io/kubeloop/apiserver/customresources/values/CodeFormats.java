/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.fielderrors.Digits;

/** Formats of codes and colors (upstream: {@code govalidator}). Static functions only. */
final class CodeFormats {

    private static final Pattern CREDIT_CARD = Pattern.compile(
            "4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}"
                    + "|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11}");
    private static final String CHANNEL = "\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
    private static final Pattern RGB = Pattern.compile("rgb\\(" + CHANNEL + "," + CHANNEL + "," + CHANNEL + "\\)");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]*={0,2}");

    private static final Pattern SEPARATORS = Pattern.compile("[\\s-]+");
    private static final Pattern NOT_DIGITS = Pattern.compile("[^0-9]+");
    private static final Pattern ISBN_10 = Pattern.compile("[0-9]{9}X|[0-9]{10}");

    private CodeFormats() {}

    static boolean isRgbColor(String text) {
        return RGB.matcher(text).matches();
    }

    /** Returns whether the text is base64 with padding. As upstream, the empty text is not. */
    static boolean isBase64(String text) {
        return !text.isEmpty() && text.length() % 4 == 0 && BASE64.matcher(text).matches();
    }

    static boolean isIsbn10(String text) {
        String code = SEPARATORS.matcher(text).replaceAll("");
        if (!ISBN_10.matcher(code).matches()) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += (i + 1) * (code.charAt(i) == 'X' ? 10 : code.charAt(i) - '0');
        }
        return sum % 11 == 0;
    }

    static boolean isIsbn13(String text) {
        String code = SEPARATORS.matcher(text).replaceAll("");
        if (!Digits.are(code, 13, 13)) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += (i % 2 == 0 ? 1 : 3) * (code.charAt(i) - '0');
        }
        return code.charAt(12) - '0' == (10 - sum % 10) % 10;
    }

    /** Returns whether the digits of the text are a card number with a valid check digit. */
    static boolean isCreditCard(String text) {
        String digits = NOT_DIGITS.matcher(text).replaceAll("");
        if (!CREDIT_CARD.matcher(digits).matches()) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(digits.length() - 1 - i) - '0';
            int weighted = i % 2 == 1 ? digit * 2 : digit;
            sum += weighted > 9 ? weighted - 9 : weighted;
        }
        return sum % 10 == 0;
    }
}
