/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.cache.Lister;

/** The caches that a sync reads. */
record EndpointSliceCaches(
        Lister<Service> services, Lister<Pod> pods, Lister<Node> nodes, Lister<EndpointSlice> slices) {}
