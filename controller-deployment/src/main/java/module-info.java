/** The controller that rolls out Deployments (upstream: {@code pkg/controller/deployment}). */
module io.kubeloop.controller.deployment {
    requires transitive io.kubeloop.controller;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.deployment;
}
