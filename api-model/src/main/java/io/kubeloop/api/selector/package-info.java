/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Label and field selectors: predicates that are parsed from text or objects, and formatted as canonical text.
 *
 * <p>Entry types: {@link io.kubeloop.api.selector.LabelSelectors} and {@link io.kubeloop.api.selector.FieldSelector}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.selector;

import org.jspecify.annotations.NullMarked;
