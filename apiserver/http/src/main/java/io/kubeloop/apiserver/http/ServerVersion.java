/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.json.tree.JsonObject;
import java.util.Locale;
import java.util.Map;

/**
 * The document at {@code /version}: the Kubernetes release whose behavior this server implements (upstream: {@code
 * apimachinery/pkg/version}). The build metadata after the plus sign names this server.
 */
final class ServerVersion {

    static final String MAJOR = "1";
    static final String MINOR = "37";
    static final String GIT_VERSION = "v" + MAJOR + "." + MINOR + ".2+kubeloop";

    /** The oldest release whose API the release still serves. */
    private static final String OLDEST_MINOR = "36";

    private static final Map<String, String> GO_ARCHITECTURES = Map.of("x86_64", "amd64", "aarch64", "arm64");

    private ServerVersion() {}

    static JsonObject document() {
        return JsonObject.builder()
                .put("major", MAJOR)
                .put("minor", MINOR)
                .put("emulationMajor", MAJOR)
                .put("emulationMinor", MINOR)
                .put("minCompatibilityMajor", MAJOR)
                .put("minCompatibilityMinor", OLDEST_MINOR)
                .put("gitVersion", GIT_VERSION)
                .put("gitCommit", "")
                .put("gitTreeState", "")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "")
                .put("compiler", "javac")
                .put("platform", platform())
                .build();
    }

    private static String platform() {
        String architecture = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT)
                + "/"
                + GO_ARCHITECTURES.getOrDefault(architecture, architecture);
    }
}
