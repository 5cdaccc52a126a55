/* SPDX-License-Identifier: Apache-2.0 */
/** A small server for the admission and conversion webhooks of an operator, its health and its metrics. */
module io.kubeloop.webhook {
    requires transitive io.kubeloop.api;
    requires io.kubeloop.apiserver.http;
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires io.kubeloop.runtime;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.webhook;
}
