package io.kubeloop.apiserver.http;

import io.kubeloop.json.tree.JsonObject;

/** The document at {@code /version}: the Kubernetes release whose API this server implements in part. */
final class ServerVersion {

    static final String MAJOR = "1";
    static final String MINOR = "33";
    static final String GIT_VERSION = "v" + MAJOR + "." + MINOR + ".0+kubeloop";

    private ServerVersion() {}

    static JsonObject document() {
        return JsonObject.builder()
                .put("major", MAJOR)
                .put("minor", MINOR)
                .put("gitVersion", GIT_VERSION)
                .put("gitCommit", "")
                .put("gitTreeState", "")
                .put("buildDate", "")
                .put("goVersion", "")
                .put("compiler", "javac")
                .put("platform", System.getProperty("os.name") + "/" + System.getProperty("os.arch"))
                .build();
    }
}
