/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression in the syntax of Go's {@code regexp}, which has no look-around and no back references.
 * Thread-safe.
 *
 * <p>The time of a match grows with the length of the value times the size of the expression (ADR 0029), never faster.
 */
public final class GoPattern {

    private final String text;
    private final @Nullable String error;
    private final @Nullable Pattern compiled;

    /** Compiles an expression; {@link #error()} states whether it is valid. */
    public GoPattern(String text) {
        this.text = text;
        String problem = null;
        Pattern pattern = null;
        try {
            pattern = Pattern.compile(new GoPatternSyntax(text).toRe2());
        } catch (PatternSyntaxException e) {
            problem = e.getMessage();
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
        return compiled != null && compiled.matcher(value).find();
    }
}
