/**
 * The published OpenAPI documents: the types, paths and parameters of everything that a server serves (upstream: {@code
 * kube-openapi} and {@code apiextensions-apiserver/pkg/controller/openapi}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.openapi.OpenApiDocuments}, which follows the registry of resources. The documents have
 * few descriptions, because the recorded schema has none. All types are thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
