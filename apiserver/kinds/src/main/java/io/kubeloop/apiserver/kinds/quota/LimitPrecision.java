/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.api.value.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The precision of comparisons by limit ranges: thousandths if they fit into 64 bits, otherwise whole units. */
final class LimitPrecision {

    private static final long MAX_WHOLE = Long.MAX_VALUE / 1000;

    private LimitPrecision() {}

    /** Returns the function by which these quantities are compared. */
    static ToLongFunction<Quantity> of(Quantity... amounts) {
        return Stream.of(amounts).allMatch(amount -> amount.value() <= MAX_WHOLE)
                ? Quantity::milliValue
                : Quantity::value;
    }

    /** Returns whether thousandths of these quantities fit into 64 bits, with a margin. */
    static boolean isFineBelow(Quantity... amounts) {
        return Stream.of(amounts).allMatch(amount -> amount.value() < MAX_WHOLE);
    }

    /** Returns a ratio in the form of the error messages. */
    static String shown(double ratio) {
        return Double.isFinite(ratio)
                ? new BigDecimal(ratio).setScale(6, RoundingMode.HALF_EVEN).toPlainString()
                : ratio < 0 ? "-Inf" : "+Inf";
    }
}
