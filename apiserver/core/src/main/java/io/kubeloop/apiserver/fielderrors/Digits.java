/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fielderrors;

/** Checks texts of decimal digits in linear time. Static functions only. */
public final class Digits {

    private Digits() {}

    /**
     * Returns whether a text consists of the digits 0 to 9.
     *
     * @param least the least number of digits
     * @param most the most digits
     */
    public static boolean are(String text, int least, int most) {
        return text.length() >= least && text.length() <= most && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Returns whether a text is an optional sign and one digit at least. */
    public static boolean areSigned(String text, int most) {
        return are(text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text, 1, most);
    }
}
