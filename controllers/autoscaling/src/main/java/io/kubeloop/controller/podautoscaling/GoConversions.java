/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

/**
 * Conversions of numbers as Go makes them on amd64, because extreme metrics must lead to the same number of pods.
 * Stateless.
 */
final class GoConversions {

    private GoConversions() {}

    /** Returns the whole part; the smallest number if it does not fit. */
    static long toLong(double number) {
        return number >= -0x1p63 && number < 0x1p63 ? (long) number : Long.MIN_VALUE;
    }

    /** Returns the whole part; the smallest number if it does not fit. */
    static int toInt(double number) {
        long whole = toLong(number);
        return whole == (int) whole ? (int) whole : Integer.MIN_VALUE;
    }

    /** Rounds up and converts as {@link #toInt} does. */
    static int ceil(double number) {
        return toInt(Math.ceil(number));
    }

    /** Rounds up; numbers that are too large become the largest number. */
    static int limitedCeil(double number) {
        return number > Integer.MAX_VALUE ? Integer.MAX_VALUE : ceil(number);
    }
}
