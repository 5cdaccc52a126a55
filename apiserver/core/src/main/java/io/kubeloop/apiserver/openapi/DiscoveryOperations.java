/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.apiserver.openapi.Operation.Exchange;
import java.util.List;

/** The operations that read discovery documents and the server version. Thread-safe: stateless. */
final class DiscoveryOperations {

    private DiscoveryOperations() {}

    /** Returns the operation that reads the resources of an API version, such as {@code /apis/apps/v1}. */
    static Operation ofVersion(String path) {
        String[] parts = path.split("/", -1);
        Naming naming = parts.length == 3 ? new Naming("", parts[2]) : new Naming(parts[2], parts[3]);
        return read(path, naming.id("get", "APIResources"), naming.tag(), Definitions.META + "APIResourceList");
    }

    /**
     * Returns the operation that reads a group, the list of groups, the list of core versions, or the server version.
     */
    static Operation of(String path) {
        if (path.equals("/version")) {
            Exchange exchange = new Exchange(
                    "",
                    false,
                    List.of("application/json"),
                    List.of("200"),
                    "io.k8s.apimachinery.pkg.version.Info",
                    List.of("application/json"));
            return new Operation("/version/", "get", "getCodeVersion", "version", "", null, List.of(), exchange);
        }
        if (path.equals("/api")) {
            return read(path, "getCoreAPIVersions", "core", Definitions.META + "APIVersions");
        }
        if (path.equals("/apis")) {
            return read(path, "getAPIVersions", "apis", Definitions.META + "APIGroupList");
        }
        Naming naming = new Naming(path.substring("/apis/".length()), "");
        return read(path, naming.id("get", "APIGroup"), naming.tag(), Definitions.META + "APIGroup");
    }

    private static Operation read(String path, String id, String tag, String name) {
        MediaTypes media = MediaTypes.BUILT_IN;
        Exchange exchange = new Exchange("", false, media.objects(), List.of("200"), name, media.objects());
        return new Operation(path + "/", "get", id, tag, "", null, List.of(), exchange);
    }
}
