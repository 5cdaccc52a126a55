package io.kubeloop.controller.endpoint;

import io.kubeloop.api.Endpoints;
import io.kubeloop.api.Pod;
import io.kubeloop.api.Service;
import io.kubeloop.cache.Lister;

/** The three caches that the controller reads. */
record EndpointCaches(Lister<Service> services, Lister<Pod> pods, Lister<Endpoints> endpoints) {}
