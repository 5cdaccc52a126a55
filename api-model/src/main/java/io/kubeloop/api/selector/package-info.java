/**
 * Label and field selectors: text or object to predicate, and back to canonical text.
 *
 * <p>Entry types: {@link io.kubeloop.api.selector.LabelSelectors} and {@link io.kubeloop.api.selector.FieldSelector}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.selector;

import org.jspecify.annotations.NullMarked;
