/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controllers that approve, sign and delete certificate signing requests (upstream: {@code
 * pkg/controller/certificates}).
 */
module io.kubeloop.controllers.certificates {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires org.slf4j;

    exports io.kubeloop.controller.certificates;
}
