/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSONPath in the dialect of Kubernetes (upstream: {@code k8s.io/client-go/util/jsonpath}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.customresources.paths.JsonPath}. Every type is immutable.
 */
@NullMarked
package io.kubeloop.apiserver.customresources.paths;

import org.jspecify.annotations.NullMarked;
