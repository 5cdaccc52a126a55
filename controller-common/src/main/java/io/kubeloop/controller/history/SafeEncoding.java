/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.history;

/**
 * The text form of hashes in names and labels (upstream: {@code rand.SafeEncodeString} of the decimal number).
 * Stateless.
 */
final class SafeEncoding {

    /** The letters of generated names: without vowels, so no word appears. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private SafeEncoding() {}

    /** Returns a letter for each digit of an unsigned number. */
    static String of(int hash) {
        StringBuilder encoded = new StringBuilder();
        Integer.toUnsignedString(hash)
                .chars()
                .forEach(digit -> encoded.append(LETTERS.charAt(digit % LETTERS.length())));
        return encoded.toString();
    }
}
