/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The OpenAPI documents that a server publishes: the types, paths and parameters of its resources (upstream: {@code
 * kube-openapi} and {@code apiextensions-apiserver/pkg/controller/openapi}).
 *
 * <p>Entry type: {@link io.kubeloop.apiserver.openapi.OpenApiDocuments}, which reads the resource registry. The
 * documents have few descriptions, because the recorded schema has none. All types are thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
