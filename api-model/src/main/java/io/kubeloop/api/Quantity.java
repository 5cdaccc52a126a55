package io.kubeloop.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * An amount of a resource, such as {@code 1500m} or {@code 2Gi} (upstream: {@code resource.Quantity}).
 *
 * <p>Exact: never a floating point number. Resolution is 10⁻⁹; what is finer is rounded away from zero, because who asks
 * for a little shall not get nothing. Amounts with a binary suffix are capped at 2⁶³-1, as upstream does. Equality and
 * order are those of the amount: {@code 1} equals {@code 1000m}. Immutable.
 */
public final class Quantity implements Comparable<Quantity> {

    /** How an amount is written. */
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

    /** No amount at all. */
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL_SI, null);

    /** 1024: amounts below are written without binary suffix. */
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
     * Reads a quantity: a decimal number, then a suffix ({@code n u m k M G T P E}, {@code Ki Mi Gi Ti Pi Ei}, or an
     * exponent such as {@code e3}) or none.
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

    /** Returns how the amount is written. */
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

    /** Returns the sum, in this quantity's format; zero has no format of its own and takes the other's. */
    public Quantity plus(Quantity other) {
        return new Quantity(amount.add(other.amount), signum() == 0 ? other.format : format, null);
    }

    /** Returns the difference, in this quantity's format; zero has no format of its own and takes the other's. */
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
     * Returns the wire form: as it was typed if that is close enough to canonical for upstream to keep it, else {@link
     * #canonical()}.
     */
    @Override
    public String toString() {
        return typed == null ? canonical() : typed;
    }

    /** Returns the shortest form without fraction: no digit is lost, and the suffix is as large as possible. */
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
        // No suffix is larger than E: beyond it, an exponent keeps the value where v1.20 lost it.
        boolean suffixed = format != Format.DECIMAL_EXPONENT && exponent <= 18;
        return mantissa + (suffixed ? QuantityParser.decimalSuffix(exponent) : exponent == 0 ? "" : "e" + exponent);
    }
}
