package io.kubeloop.transport.memory.quota;

import io.kubeloop.api.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** How exactly limit ranges compare: in thousandths where those fit into 64 bits, else in whole ones. */
final class LimitPrecision {

    private static final long MAX_WHOLE = Long.MAX_VALUE / 1000;

    private LimitPrecision() {}

    /** Returns what to compare these amounts by. */
    static ToLongFunction<Quantity> of(Quantity... amounts) {
        return Stream.of(amounts).allMatch(amount -> amount.value() <= MAX_WHOLE)
                ? Quantity::milliValue
                : Quantity::value;
    }

    /** Returns whether thousandths of these amounts fit, and a little more. */
    static boolean isFineBelow(Quantity... amounts) {
        return Stream.of(amounts).allMatch(amount -> amount.value() < MAX_WHOLE);
    }

    /** Returns a ratio as error texts have it. */
    static String shown(double ratio) {
        return Double.isFinite(ratio)
                ? new BigDecimal(ratio).setScale(6, RoundingMode.HALF_EVEN).toPlainString()
                : ratio < 0 ? "-Inf" : "+Inf";
    }
}
