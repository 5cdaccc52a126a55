/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

/** The values that the readers of one codec share, so equal parts of objects are stored once. Thread-safe. */
public final class SharedValues {

    final StringPool strings = new StringPool();
    final SpanInterner spans = new SpanInterner();
    final ValueInterner values = new ValueInterner();

    /** Creates empty pools. */
    public SharedValues() {}
}
