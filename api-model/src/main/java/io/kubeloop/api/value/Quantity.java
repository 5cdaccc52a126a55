/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * An amount of a resource, such as {@code 1500m} or {@code 2Gi} (upstream: {@code resource.Quantity}).
 *
 * <p>The amount is an exact decimal with a resolution of 10⁻⁹. Finer amounts are rounded away from zero, so a
 * small request does not become 0. Amounts with a binary suffix are limited to 2⁶³-1, as upstream. Equality and order
 * are those of the amount: {@code 1} equals {@code 1000m}. Immutable.
 */
public final class Quantity implements Comparable<Quantity> {

    /** The notation of an amount. */
    public enum Format {
        /** Powers of ten as exponent: {@code 12e6}. */
        DECIMAL_EXPONENT("DecimalExponent"),
        /** Powers of 1024 as suffix: {@code 12Mi}. */
        BINARY_SI("BinarySI"),
        /** Powers of 1000 as suffix: {@code 12M}. */
        DECIMAL_SI("DecimalSI");

        private final String upstreamName;

        Format(String upstreamName) {
            this.upstreamName = upstreamName;
        }

        /** Returns upstream's name of this format, such as {@code BinarySI}. */
        @Override
        public String toString() {
            return upstreamName;
        }
    }

    /** The amount 0. */
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL_SI, null);

    /** Amounts below 1024 are written without binary suffix. */
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    private final BigDecimal amount;
    private final Format format;
    private final @Nullable String typed;

    Quantity(BigDecimal amount, Format format, @Nullable String typed) {
        this.amount = amount;
        this.format = format;
        this.typed = typed;
    }

    /**
     * Parses a quantity: a decimal number and an optional suffix ({@code n u m k M G T P E},
     * {@code Ki Mi Gi Ti Pi Ei}, or an exponent such as {@code e3}).
     *
     * @throws IllegalArgumentException if the text is not a quantity, or its exponent is beyond ±10000
     */
    public static Quantity parse(String text) {
        return QuantityParser.parse(text);
    }

    /** Returns an amount, rounded away from zero to 10⁻⁹. */
    public static Quantity of(BigDecimal amount, Format format) {
        return new Quantity(toNano(amount), format, null);
    }

    /** Returns a whole amount. */
    public static Quantity of(long amount) {
        return new Quantity(BigDecimal.valueOf(amount), Format.DECIMAL_SI, null);
    }

    static BigDecimal toNano(BigDecimal amount) {
        return amount.scale() > 9 ? amount.setScale(9, RoundingMode.UP) : amount;
    }

    /** Returns the exact amount. */
    public BigDecimal amount() {
        return amount;
    }

    /** Returns the notation. */
    public Format format() {
        return format;
    }

    /** Returns -1, 0 or 1. */
    public int signum() {
        return amount.signum();
    }

    /** Returns the amount as a whole number, rounded away from zero and limited to the range of {@code long}. */
    public long value() {
        return rounded(amount);
    }

    /** Returns the amount in thousandths, rounded away from zero and limited to the range of {@code long}. */
    public long milliValue() {
        return rounded(amount.movePointRight(3));
    }

    private static long rounded(BigDecimal amount) {
        BigInteger whole = amount.setScale(0, RoundingMode.UP).toBigInteger();
        return whole.bitLength() < Long.SIZE ? whole.longValue() : whole.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** Returns the sum, in this quantity's format, or in the other's if this is zero. */
    public Quantity plus(Quantity other) {
        return new Quantity(amount.add(other.amount), signum() == 0 ? other.format : format, null);
    }

    /** Returns the difference, in this quantity's format, or in the other's if this is zero. */
    public Quantity minus(Quantity other) {
        return new Quantity(amount.subtract(other.amount), signum() == 0 ? other.format : format, null);
    }

    /** Orders by amount. */
    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity that && amount.compareTo(that.amount) == 0;
    }

    @Override
    public int hashCode() {
        return amount.stripTrailingZeros().hashCode();
    }

    /**
     * Returns the wire form. That is the parsed text if it is so close to canonical that upstream keeps it, and
     * {@link #canonical()} otherwise.
     */
    @Override
    public String toString() {
        return typed == null ? canonical() : typed;
    }

    /** Returns the shortest exact form without fraction, with the largest possible suffix. */
    public String canonical() {
        if (signum() == 0) {
            return "0";
        }
        return format == Format.BINARY_SI && isWhole() && amount.abs().compareTo(KIBI) >= 0
                ? binary(amount.toBigIntegerExact())
                : decimal();
    }

    private boolean isWhole() {
        return amount.stripTrailingZeros().scale() <= 0;
    }

    private static String binary(BigInteger whole) {
        int power = Math.min(whole.getLowestSetBit() / 10, QuantityParser.BINARY.size());
        return whole.shiftRight(10 * power) + (power == 0 ? "" : QuantityParser.BINARY.get(power - 1));
    }

    private String decimal() {
        BigDecimal stripped = amount.stripTrailingZeros();
        int exponent = 3 * Math.floorDiv(-stripped.scale(), 3);
        BigInteger mantissa = stripped.scaleByPowerOfTen(-exponent).toBigIntegerExact();
        // No suffix is larger than E. Beyond it, an exponent keeps the value, which Kubernetes 1.20 lost.
        boolean suffixed = format != Format.DECIMAL_EXPONENT && exponent <= 18;
        return mantissa + (suffixed ? QuantityParser.decimalSuffix(exponent) : exponent == 0 ? "" : "e" + exponent);
    }
}
