/* SPDX-License-Identifier: Apache-2.0 */
/** The controllers that keep volumes and claims while they are in use (upstream: {@code pkg/controller/volume}). */
module io.kubeloop.controllers.storage {
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.volume;
    exports io.kubeloop.controller.volume.ephemeral;
    exports io.kubeloop.controller.volume.expand;
    exports io.kubeloop.controller.volume.persistentvolume;
}
