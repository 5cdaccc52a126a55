/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.apiserver.registry.AggregatedApis;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.tree.JsonObject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI documents of a server, in versions 2 and 3. A change of the resource registry is visible in the next
 * requested document.
 *
 * <p>A document is built on request, and only its hash is kept, because documents are large and clients cache them by
 * hash. The first request for the index builds every document once. Thread-safe.
 */
public final class OpenApiDocuments {

    /*
     * Invariants:
     *   D1  current belongs to one version of the registry and of the remote groups, and is replaced when one changes.
     *       Several threads may find an old version and build a new state; each of these states is complete.
     *   D2  builtInTags contains the hashes of documents without custom resources, which never change while the
     *       program runs.
     */

    private static final String GROUP_PREFIX = "apis/";

    private final ResourceRegistry registry;
    private final String release;
    private final Map<String, String> builtInTags = new ConcurrentHashMap<>();
    private final Supplier<AggregatedApis> apis;
    private volatile State current = new State(-1, -1, Map.of(), List.of());

    /**
     * The state for one version of the registry and of the other servers' groups.
     *
     * @param groupVersions the resources by the path of their document
     * @param remote the documents of other servers
     * @param tags the known hashes
     */
    private record State(
            long version,
            long apis,
            Map<String, List<ResourceStore>> groupVersions,
            List<AggregatedApis.Version> remote,
            Map<String, String> tags) {

        State(
                long version,
                long apis,
                Map<String, List<ResourceStore>> groupVersions,
                List<AggregatedApis.Version> remote) {
            this(version, apis, groupVersions, remote, new ConcurrentHashMap<>());
        }
    }

    /**
     * A document.
     *
     * @param bytes its text in UTF-8, or its protocol buffers
     * @param tag the hash of its content, in hexadecimal
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes are sent as they are
    public record Document(byte[] bytes, String tag) {}

    /**
     * Creates the OpenAPI documents of a server.
     *
     * @param apis returns the group versions of other servers, whose documents are merged
     * @param release the Kubernetes release that the documents name, such as {@code 1.37}
     */
    public OpenApiDocuments(ResourceRegistry registry, Supplier<AggregatedApis> apis, String release) {
        this.registry = registry;
        this.apis = apis;
        this.release = release;
    }

    private State state() {
        State known = current;
        long version = registry.version();
        AggregatedApis now = apis.get();
        long apisVersion = now.version();
        if (known.version == version && known.apis == apisVersion) {
            return known;
        }
        Map<String, List<ResourceStore>> groupVersions = new LinkedHashMap<>();
        for (ResourceStore store : registry.stores()) {
            String apiVersion = store.type().apiVersion();
            String path = (apiVersion.contains("/") ? GROUP_PREFIX : "api/") + apiVersion;
            groupVersions.computeIfAbsent(path, key -> new ArrayList<>()).add(store);
        }
        State made = new State(version, apisVersion, groupVersions, now.versions());
        current = made;
        return made;
    }

    /** Returns the index of the OpenAPI v3 documents. The first call builds all of them. */
    public Document index() {
        State state = state();
        JsonObject.Builder paths = JsonObject.builder();
        List<String> own = paths(state);
        for (String path : own) {
            paths.put(path, JsonObject.EMPTY.with("serverRelativeURL", url(path, tag(state, path))));
        }
        for (AggregatedApis.Version api : state.remote) {
            api.openApi().forEach((path, url) -> {
                if (!own.contains(path)) {
                    paths.put(path, JsonObject.EMPTY.with("serverRelativeURL", url));
                }
            });
        }
        byte[] bytes = JsonObject.of("paths", paths.build()).toBytes();
        return new Document(bytes, hash(bytes));
    }

    /** Returns the URL of a document, with its hash as a query parameter. */
    public static String url(String path, String tag) {
        return "/openapi/v3/" + path + "?hash=" + tag;
    }

    private static List<String> paths(State state) {
        Map<String, String> sorted = new TreeMap<>();
        for (String path : state.groupVersions.keySet()) {
            sorted.put(path, path);
            if (isBuiltIn(state.groupVersions.get(path))) {
                String group = group(path);
                sorted.put(group, group);
            }
        }
        sorted.put("apis", "apis");
        sorted.put("version", "version");
        return List.copyOf(sorted.keySet());
    }

    private static String group(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private static boolean isBuiltIn(@Nullable List<ResourceStore> stores) {
        return stores != null
                && stores.stream().anyMatch(store -> store.definition().custom() == null);
    }

    /**
     * Returns the hash of a document of version 3; null if there is no such document. Builds the document if its hash
     * is not known.
     *
     * @param path such as {@code apis/apps/v1}
     */
    public @Nullable String tag(String path) {
        State state = state();
        return paths(state).contains(path) ? tag(state, path) : null;
    }

    private String tag(State state, String path) {
        List<ResourceStore> stores = state.groupVersions.getOrDefault(path, List.of());
        boolean changes = stores.stream().anyMatch(store -> store.definition().custom() != null);
        Map<String, String> tags = changes ? state.tags : builtInTags;
        String known = tags.get(path);
        if (known == null) {
            known = hash(build(state, path));
            tags.put(path, known);
        }
        return known;
    }

    /**
     * Returns a document of version 3; null if there is none.
     *
     * @param path such as {@code apis/apps/v1}
     */
    public @Nullable Document document(String path) {
        State state = state();
        if (!paths(state).contains(path)) {
            return null;
        }
        byte[] bytes = build(state, path);
        return new Document(bytes, hash(bytes));
    }

    private byte[] build(State state, String path) {
        List<ResourceStore> stores = state.groupVersions.get(path);
        Version3 document = new Version3(release);
        if (stores != null) {
            return document.ofVersion(path, stores).toBytes();
        }
        return document.ofGroup(path).toBytes();
    }

    /** Returns the hash of the document of version 2. Builds the document if its hash is not known. */
    public String version2Tag() {
        State state = state();
        String known = state.tags.get("");
        if (known == null) {
            known = hash(version2Of(state).toBytes());
            state.tags.put("", known);
        }
        return known;
    }

    /** Returns the document of version 2 as JSON. */
    public Document version2() {
        State state = state();
        byte[] bytes = version2Of(state).toBytes();
        String tag = hash(bytes);
        state.tags.put("", tag);
        return new Document(bytes, tag);
    }

    /** Returns the document of version 2 in gnostic's protocol buffers, with the same hash. */
    public Document version2Protobuf() {
        State state = state();
        JsonObject document = version2Of(state);
        return new Document(OpenApiV2Protobuf.document(document), hash(document.toBytes()));
    }

    private JsonObject version2Of(State state) {
        JsonObject document = new Version2(release).of(state.groupVersions);
        for (AggregatedApis.Version api : state.remote) {
            document = merged(document, api);
        }
        return document;
    }

    /** Adds the paths of another server's group version, and its definitions that are not known by their name. */
    private static JsonObject merged(JsonObject document, AggregatedApis.Version api) {
        JsonObject.Builder paths = JsonObject.builder();
        document.object("paths").members().forEach(paths::put);
        api.swagger().object("paths").members().forEach((path, item) -> {
            if (path.startsWith(api.path() + "/")) {
                paths.put(path, item);
            }
        });
        JsonObject.Builder definitions = JsonObject.builder();
        api.swagger().object("definitions").members().forEach(definitions::put);
        document.object("definitions").members().forEach(definitions::put);
        return document.with("paths", paths.build()).with("definitions", definitions.build());
    }

    private static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-512").digest(content);
            return HexFormat.of().withUpperCase().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK lacks SHA-512", e);
        }
    }
}
