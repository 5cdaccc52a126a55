/**
 * What all parts of the API server speak of: metadata, served resources, errors of fields, refusals (upstream: {@code
 * apimachinery}).
 *
 * <p>Start at {@link io.kubeloop.transport.memory.machinery.Meta}, which reads the metadata of a tree, and at {@link
 * io.kubeloop.transport.memory.machinery.ApiFailure}, which is thrown to refuse a request. It knows no kinds and no storage of
 * them. Everything is immutable or a pure function, but for {@link io.kubeloop.transport.memory.machinery.FieldErrors}, which
 * belongs to the thread that validates.
 */
@NullMarked
package io.kubeloop.transport.memory.machinery;

import org.jspecify.annotations.NullMarked;
