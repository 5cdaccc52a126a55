package io.kubeloop.json.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;

/** What kube-apiserver 1.20.2 and 1.36.3 answered for the same objects, in both forms. */
final class Documents {

    private Documents() {}

    /** Returns the names of all documents. */
    static Stream<String> names() {
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

    static byte[] protobuf(String name) {
        return read(name + ".pb");
    }

    static byte[] json(String name) {
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
