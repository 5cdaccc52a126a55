/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The annotations of kinds: {@link io.kubeloop.crd.CustomResource} on the record of a kind, {@link
 * io.kubeloop.crd.Union} on alternatives, and those of {@link io.kubeloop.crd.Schema} on components and records.
 *
 * <p>The compiler reads them with {@code kubeloop-crd-processor}; at run time they have no effect. docs/kinds.md lists
 * what each of them makes. There are no threads.
 */
@NullMarked
package io.kubeloop.crd;

import org.jspecify.annotations.NullMarked;
