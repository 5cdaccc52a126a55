/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Authorization: the attributes of a request, and the interface of an authorizer that decides about it.
 *
 * <p>All types are immutable or must be thread-safe. Responses are computed on the thread of the request.
 */
@NullMarked
package io.kubeloop.apiserver.access;

import org.jspecify.annotations.NullMarked;
