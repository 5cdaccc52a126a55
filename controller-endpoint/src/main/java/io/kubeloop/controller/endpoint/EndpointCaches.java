/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.Lister;

/** The three caches that the controller reads. */
record EndpointCaches(Lister<Service> services, Lister<Pod> pods, Lister<Endpoints> endpoints) {}
