/**
 * What all parts of the API server speak of: metadata, served resources and their stores, what a strategy is, errors of fields,
 * refusals (upstream: {@code apimachinery}, and {@code apiserver/pkg/registry}'s interfaces).
 *
 * <p>Start at {@link io.kubeloop.transport.memory.machinery.RestStrategy}, which says what can be special about a kind, at
 * {@link io.kubeloop.transport.memory.machinery.Meta}, which reads the metadata of a tree, and at {@link
 * io.kubeloop.transport.memory.machinery.ApiFailure}, which is thrown to refuse a request. No kind is known here. Everything is
 * immutable or a pure function, but for {@link io.kubeloop.transport.memory.machinery.FieldErrors}, which belongs to the thread
 * that validates.
 */
@NullMarked
package io.kubeloop.transport.memory.machinery;

import org.jspecify.annotations.NullMarked;
