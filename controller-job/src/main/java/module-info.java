/**
 * The controllers that run Jobs, create them by a schedule, and delete them after their end (upstream: {@code
 * pkg/controller/job}, {@code cronjob} and {@code ttlafterfinished}).
 */
module io.kubeloop.controller.job {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.job;
}
