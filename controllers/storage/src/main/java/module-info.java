/* SPDX-License-Identifier: Apache-2.0 */
/** The controllers of volumes and claims (upstream: {@code pkg/controller/volume}). */
module io.kubeloop.controllers.storage {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.controller.volume;
    exports io.kubeloop.controller.volume.attachdetach;
    exports io.kubeloop.controller.volume.ephemeral;
    exports io.kubeloop.controller.volume.expand;
    exports io.kubeloop.controller.volume.persistentvolume;
    exports io.kubeloop.controller.volume.selinuxwarning;
}
