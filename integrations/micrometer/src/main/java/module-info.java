/* SPDX-License-Identifier: Apache-2.0 */
/** Metrics of queues, informers, requests and controllers as meters of Micrometer. */
module io.kubeloop.micrometer {
    requires static org.jspecify;
    requires transitive io.kubeloop.cache;
    requires transitive io.kubeloop.controller;
    requires static transitive io.kubeloop.transport.http;
    requires transitive io.kubeloop.workqueue;
    requires transitive micrometer.core;

    exports io.kubeloop.micrometer;
}
