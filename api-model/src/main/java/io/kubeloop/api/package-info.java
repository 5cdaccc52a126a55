/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kubernetes objects as records, one per type, and the parts that all of them have.
 *
 * <p>Entry type: {@link io.kubeloop.api.KubeObject}. Absent fields follow Go's rule, because the wire format is Go's.
 * If upstream has a plain field, the component is never null, and the zero value ({@code ""}, {@code 0},
 * {@code false}, an empty collection) means "absent". If upstream has a pointer, the component is {@code @Nullable}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api;

import org.jspecify.annotations.NullMarked;
