/**
 * The controllers of service accounts, their tokens and the CA bundle of each namespace (upstream: {@code
 * pkg/controller/serviceaccount} and {@code pkg/controller/certificates/rootcacertpublisher}).
 */
module io.kubeloop.controller.serviceaccount {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.serviceaccount;
}
