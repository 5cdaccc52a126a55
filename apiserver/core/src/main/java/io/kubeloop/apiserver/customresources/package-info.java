/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Custom resources: the resources that clients add to a server with custom resource definitions (upstream: {@code
 * apiextensions-apiserver}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.customresources.CustomResources}, which follows the definitions and serves
 * their resources. The packages below are {@code schema} (schemas as data), {@code values} (validation of values),
 * {@code objects} (pruning and defaults), {@code structural} (rules of schemas), {@code paths} (JSONPath), {@code
 * definitions} (definitions as objects) and {@code publishing} (OpenAPI documents).
 *
 * <p>Definitions change while requests run: a request uses the state of the table of resources that it has read.
 */
@NullMarked
package io.kubeloop.apiserver.customresources;

import org.jspecify.annotations.NullMarked;
