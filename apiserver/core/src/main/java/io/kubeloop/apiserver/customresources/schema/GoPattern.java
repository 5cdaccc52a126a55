package io.kubeloop.apiserver.customresources.schema;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression in the syntax of Go, which has no look-around and no back references. Thread-safe.
 *
 * <p>Go matches in linear time; Java's engine backtracks. A match therefore may read a bounded number of characters, and
 * fails beyond it.
 */
public final class GoPattern {

    private static final int MAX_READS = 20_000_000;

    private final String text;
    private final @Nullable String error;
    private final @Nullable Pattern compiled;

    /** Compiles an expression; {@link #error()} states whether it is valid. */
    public GoPattern(String text) {
        this.text = text;
        String problem = null;
        Pattern pattern = null;
        try {
            pattern = Pattern.compile(new GoPatternSyntax(text).toJava(), Pattern.UNIX_LINES);
        } catch (PatternSyntaxException e) {
            problem = "error parsing regexp: " + e.getDescription();
        }
        error = problem;
        compiled = pattern;
    }

    /** Returns the expression. */
    public String text() {
        return text;
    }

    /** Returns Go's error message; null if the expression is valid. */
    public @Nullable String error() {
        return error;
    }

    /** Returns whether the expression matches a part of the value. An invalid expression matches nothing. */
    public boolean matches(String value) {
        if (compiled == null) {
            return false;
        }
        try {
            return compiled.matcher(new BoundedText(value)).find();
        } catch (TooManyReadsException | StackOverflowError e) {
            return false; // the documented bound
        }
    }

    private static final class TooManyReadsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyReadsException() {
            super("the match reads too many characters", null, false, false);
        }
    }

    /** A text that ends a match which reads too many characters. Confined to one match. */
    private static final class BoundedText implements CharSequence {

        private final String value;
        private int reads;

        BoundedText(String value) {
            this.value = value;
        }

        @Override
        public int length() {
            return value.length();
        }

        @Override
        public char charAt(int index) {
            if (++reads > MAX_READS) {
                throw new TooManyReadsException();
            }
            return value.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return value.subSequence(start, end);
        }

        @Override
        public String toString() {
            return value;
        }
    }
}
