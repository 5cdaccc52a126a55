/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.state;

/** Recognizes times. */
final class Times {

    private static final String SHAPE = "dddd-dd-ddTdd:dd:dd";

    private Times() {}

    /** Returns whether a text begins as a time of RFC 3339 with seconds does, and ends with a zone. */
    static boolean isTime(String text) {
        if (text.length() <= SHAPE.length()) {
            return false;
        }
        for (int i = 0; i < SHAPE.length(); i++) {
            char expected = SHAPE.charAt(i);
            char found = text.charAt(i);
            if (expected == 'd' ? found < '0' || found > '9' : found != expected) {
                return false;
            }
        }
        char last = text.charAt(text.length() - 1);
        return last == 'Z' || (last >= '0' && last <= '9' && text.length() > SHAPE.length() + 5);
    }
}
