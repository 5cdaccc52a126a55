/**
 * The objects: one record per Kubernetes type, and the values they are made of.
 *
 * <p>Entry type: {@link io.kubeloop.api.KubeObject}. The rule for absent fields is Go's, because the wire format is Go's:
 * where upstream has a plain field the component is never null and the zero value ({@code ""}, {@code 0}, {@code false},
 * an empty collection) means "absent"; where upstream has a pointer the component is {@code @Nullable}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api;

import org.jspecify.annotations.NullMarked;
