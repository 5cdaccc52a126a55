/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The discovery documents: the groups, versions and resources that a server serves (upstream: {@code
 * apiserver/pkg/endpoints/discovery}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.discovery.Discovery}, which builds the documents anew after every change of
 * the registry. All types are thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
