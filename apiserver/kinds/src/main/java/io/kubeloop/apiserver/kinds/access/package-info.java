/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The review kinds, with which clients check users, permissions and tokens (upstream: {@code
 * pkg/registry/authentication} and {@code pkg/registry/authorization}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.access.Reviews}. The server has no authorizer: it allows every
 * operation, and the answers say so. Every type is thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.access;

import org.jspecify.annotations.NullMarked;
