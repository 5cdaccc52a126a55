/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;

/**
 * Objects that kube-apiserver 1.20.2, 1.36.3 and 1.37.2 sent in both forms. {@code e2e/record-schema.sh} records
 * more of them.
 */
public final class Documents {

    private Documents() {}

    /** Returns the names of all documents. */
    public static Stream<String> names() {
        return Stream.concat(ofOldReleases(), ofCurrentReleases());
    }

    private static Stream<String> ofCurrentReleases() {
        return Stream.of(
                        "clusterrole",
                        "controllerrevision",
                        "cronjob",
                        "customresourcedefinition",
                        "daemonset",
                        "deployment",
                        "deviceclass",
                        "flowschema",
                        "horizontalpodautoscaler",
                        "ingress",
                        "job",
                        "limitrange",
                        "networkpolicy",
                        "persistentvolume",
                        "poddisruptionbudget",
                        "priorityclass",
                        "resourcequota",
                        "secret",
                        "statefulset",
                        "storageclass",
                        "validatingwebhookconfiguration")
                .flatMap(kind -> Stream.of("1.36.3/" + kind, "1.37.2/" + kind));
    }

    private static Stream<String> ofOldReleases() {
        return Stream.of("1.20.2", "1.36.3")
                .flatMap(release -> Stream.of(
                                "pod",
                                "service",
                                "endpoints",
                                "replicationcontroller",
                                "replicaset",
                                "serviceaccount",
                                "node",
                                "lease",
                                "event",
                                "status",
                                "metadata")
                        .map(kind -> release + "/" + kind));
    }

    public static byte[] protobuf(String name) {
        return read(name + ".pb");
    }

    public static byte[] json(String name) {
        return read(name + ".json");
    }

    private static byte[] read(String file) {
        try (InputStream in = Documents.class.getResourceAsStream("/documents/" + file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
    }
}
