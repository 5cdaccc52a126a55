/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The resources that a server serves, by discovery, and metadata informers that follow them.
 *
 * <p>Start at {@link io.kubeloop.controller.discovery.ApiCatalog}, which holds the resources at one moment. {@link
 * io.kubeloop.controller.discovery.ResourceMonitors} keeps one informer for each of them. Catalogs are immutable;
 * monitors are thread-safe.
 */
@NullMarked
package io.kubeloop.controller.discovery;

import org.jspecify.annotations.NullMarked;
