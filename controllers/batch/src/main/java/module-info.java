/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controllers that run Jobs, create them by a schedule, and delete them after their end (upstream: {@code
 * pkg/controller/job}, {@code cronjob} and {@code ttlafterfinished}).
 */
module io.kubeloop.controllers.batch {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.cronjob;
    exports io.kubeloop.controller.job;
    exports io.kubeloop.controller.ttlafterfinished;
}
