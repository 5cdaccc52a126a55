/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceType.Scope;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.controller.Errors;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the discovery documents of a server, repeatedly. Used by one thread.
 *
 * <p>It prefers the aggregated documents, which list all resources. A server that does not have them answers with the
 * list of its groups, and each version of a group is then requested alone.
 */
public final class DiscoveryReader {

    private static final String AGGREGATED =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," + ApiRequest.JSON;

    private final Transport transport;
    private final List<ApiCatalog.Entry> resources = new ArrayList<>();
    private final Map<String, String> failures = new LinkedHashMap<>();

    /**
     * The last catalog, and the aggregated documents that it was read from; empty if it was read from other documents,
     * too.
     */
    private ApiCatalog last = ApiCatalog.EMPTY;

    private List<byte[]> documents = List.of();

    /** Creates a reader of the server that the transport reaches; sends nothing yet. */
    public DiscoveryReader(Transport transport) {
        this.transport = transport;
    }

    /**
     * Reads the catalog of a server: two requests, or one for each group version if the server has no aggregated
     * discovery. A read whose documents have not changed returns the last catalog. Blocks. A group version that fails
     * does not fail the others; see {@link ApiCatalog#failures}.
     *
     * @throws ApiException if the server rejects the request for its groups
     * @throws TransportException if no response arrived
     * @throws DecodeException if a response is malformed
     */
    public ApiCatalog read() {
        byte[] core = get("/api");
        byte[] groups = get("/apis");
        // A reader that asks every 30 s parses some 100 KB only if they changed.
        if (!documents.isEmpty() && Arrays.equals(core, documents.get(0)) && Arrays.equals(groups, documents.get(1))) {
            return last;
        }
        resources.clear();
        failures.clear();
        boolean whole = readRoot(JsonObject.parse(core), "/api/");
        whole &= readRoot(JsonObject.parse(groups), "/apis/");
        last = new ApiCatalog(resources, failures);
        documents = whole ? List.of(core, groups) : List.of();
        return last;
    }

    /** Returns whether the document contains all resources below the path. */
    private boolean readRoot(JsonObject document, String path) {
        if (document.has("items")) {
            document.array("items").objects().forEach(this::readAggregated);
            return true;
        }
        if (document.has("versions")) {
            readGroup(path, "", versions(document.array("versions").strings().toList()));
        } else {
            document.array("groups")
                    .objects()
                    .forEach(group -> readGroup(path, group.string("name"), preferredFirst(group)));
        }
        return false;
    }

    /** Returns the versions of a group, the one that the server prefers first. */
    private static List<String> preferredFirst(JsonObject group) {
        List<String> versions = new ArrayList<>(List.of(group.string("preferredVersion", "version")));
        group.array("versions")
                .objects()
                .map(version -> version.string("version"))
                .forEach(versions::add);
        return versions(versions);
    }

    private static List<String> versions(List<String> names) {
        return names.stream().filter(name -> !name.isEmpty()).distinct().toList();
    }

    private void readAggregated(JsonObject group) {
        String name = group.string("metadata", "name");
        Set<String> known = new HashSet<>();
        group.array("versions").objects().forEach(version -> {
            String number = version.string("version");
            if (version.string("freshness").equals("Stale")) {
                String failed = groupVersion(name, number);
                failures.put(failed, "stale GroupVersion discovery: " + failed);
                return;
            }
            version.array("resources").objects().forEach(resource -> {
                JsonObject kind = resource.object("responseKind");
                add(
                        ResourceTypes.generic(
                                name,
                                number,
                                resource.string("resource"),
                                kind.string("kind"),
                                resource.string("scope").equals("Namespaced") ? Scope.NAMESPACED : Scope.CLUSTER),
                        resource.array("verbs"),
                        known);
            });
        });
    }

    private void readGroup(String root, String name, List<String> versions) {
        Set<String> known = new HashSet<>();
        for (String version : versions) {
            String groupVersion = groupVersion(name, version);
            try {
                readVersion(JsonObject.parse(get(root + groupVersion)), name, version, known);
            } catch (ApiException | TransportException | DecodeException e) {
                // One group that is served by a broken extension must not hide the others.
                failures.put(groupVersion, Errors.text(e));
            }
        }
    }

    private void readVersion(JsonObject document, String group, String version, Set<String> known) {
        document.array("resources")
                .objects()
                .filter(resource -> !resource.string("name").contains("/")) // a subresource
                .forEach(resource -> add(
                        ResourceTypes.generic(
                                group,
                                version,
                                resource.string("name"),
                                resource.string("kind"),
                                resource.bool("namespaced") ? Scope.NAMESPACED : Scope.CLUSTER),
                        resource.array("verbs"),
                        known));
    }

    private void add(ResourceType<?> type, JsonArray verbs, Set<String> known) {
        resources.add(new ApiCatalog.Entry(
                ResourceTypes.metadataOf(type), verbs.strings().collect(Collectors.toSet()), known.add(type.plural())));
    }

    private static String groupVersion(String group, String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }

    private byte[] get(String path) {
        ApiRequest request = new ApiRequest("GET", path, Map.of(), AGGREGATED, null, null);
        try (ApiResponse response = transport.execute(request)) {
            byte[] body = response.wholeBody(request.describe());
            if (!response.isSuccessful()) {
                throw new ApiException(
                        request.describe(), JsonCodec.standard().decodeStatus(response.code(), body), null);
            }
            return body;
        }
    }
}
