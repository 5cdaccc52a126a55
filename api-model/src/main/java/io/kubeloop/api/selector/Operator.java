/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

/** The comparison that a requirement applies to a label (upstream: {@code selection.Operator}). */
public enum Operator {
    /** The label has the value. */
    EQUALS("="),
    /** The same as {@link #EQUALS}, in the notation {@code ==}. */
    DOUBLE_EQUALS("=="),
    /** The label is missing or has another value. */
    NOT_EQUALS("!="),
    /** The label has one of the values. */
    IN("in"),
    /** The label is missing or has none of the values. */
    NOT_IN("notin"),
    /** The label is present. */
    EXISTS("exists"),
    /** The label is missing. */
    DOES_NOT_EXIST("!"),
    /** The label is a whole number greater than the value. */
    GREATER_THAN("gt"),
    /** The label is a whole number less than the value. */
    LESS_THAN("lt");

    private final String upstreamName;

    Operator(String upstreamName) {
        this.upstreamName = upstreamName;
    }

    /** Returns upstream's name of this operator, such as {@code notin} or {@code gt}. */
    @Override
    public String toString() {
        return upstreamName;
    }
}
