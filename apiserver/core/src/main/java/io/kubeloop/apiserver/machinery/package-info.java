/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The vocabulary that all packages of the API server share: metadata, served resources and their stores,
 * strategies and failures (upstream: {@code apimachinery} and the interfaces of {@code
 * apiserver/pkg/registry}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.machinery.RestStrategy}, which lists the behavior that is specific to a
 * kind. {@link io.kubeloop.apiserver.machinery.Meta} reads the metadata of a tree, and {@link
 * io.kubeloop.apiserver.machinery.StatusException} rejects a request. This package depends on no kind. Every type is
 * immutable or consists of pure functions.
 */
@NullMarked
package io.kubeloop.apiserver.machinery;

import org.jspecify.annotations.NullMarked;
