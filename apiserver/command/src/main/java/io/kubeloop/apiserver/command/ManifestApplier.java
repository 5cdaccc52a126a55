/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.command.CommandException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates the objects of manifests in the embedded API server, as {@code kubectl create} does. Objects without a
 * namespace go to {@code default}. {@link #check} checks all objects before {@link #create} sends the first. Confined
 * to one thread.
 */
public final class ManifestApplier {

    private final Transport transport;
    private final ObjectCodec codec;
    private final ResourceRegistry registry;

    public ManifestApplier(Transport transport, ObjectCodec codec, ResourceRegistry registry) {
        this.transport = transport;
        this.codec = codec;
        this.registry = registry;
    }

    /**
     * Reads manifests from files, directories and standard input ({@code -}).
     *
     * @throws io.kubeloop.api.client.DecodeException if a document is not a manifest
     * @throws UncheckedIOException if a file cannot be read
     */
    public static List<JsonObject> read(List<String> sources, InputStream standardInput) {
        List<JsonObject> objects = new ArrayList<>();
        for (String source : sources) {
            objects.addAll(
                    source.equals("-")
                            ? Manifests.read("standard input", standardInput)
                            : Manifests.read(Path.of(source)));
        }
        return objects;
    }

    /**
     * Checks that every object has a name and a kind that the server has.
     *
     * @throws CommandException if the check fails; the message names the object
     */
    public void check(List<JsonObject> objects) {
        objects.forEach(this::resource);
    }

    private ServedResource resource(JsonObject object) {
        String apiVersion = object.string("apiVersion");
        String kind = object.string("kind");
        ServedResource resource = registry.findKind(apiVersion, kind);
        String name = object.string("metadata", "name") + object.string("metadata", "generateName");
        if (resource == null) {
            throw new CommandException(
                    "cannot apply " + kind + " \"" + name + "\": the embedded API server does not serve " + kind
                            + " of " + apiVersion,
                    null);
        }
        if (name.isEmpty()) {
            throw new CommandException("cannot apply " + kind + ": metadata has neither name nor generateName", null);
        }
        return resource;
    }

    /**
     * Creates the objects in order. Returns the number of objects per kind.
     *
     * @throws ApiException if the server rejects an object; the earlier ones exist
     */
    public Map<String, Integer> create(List<JsonObject> objects) {
        Map<String, Integer> created = new LinkedHashMap<>();
        for (JsonObject object : objects) {
            create(object);
            created.merge(object.string("kind"), 1, Integer::sum);
        }
        return created;
    }

    private void create(JsonObject object) {
        ServedResource resource = resource(object);
        String namespace = object.string("metadata", "namespace");
        String target = resource.type().isNamespaced() && namespace.isEmpty() ? "default" : namespace;
        ApiRequest request = ApiRequest.of(
                "POST",
                resource.type().collectionPath(target),
                Map.of(),
                ApiRequest.Body.json(object.toString().getBytes(StandardCharsets.UTF_8)));
        try (ApiResponse response = transport.execute(request)) {
            if (!response.isSuccessful()) {
                Status status =
                        codec.decodeStatus(response.code(), response.body().readAllBytes());
                throw new ApiException(
                        "cannot create " + object.string("kind") + " \"" + object.string("metadata", "name") + "\"",
                        status,
                        null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(request.describe() + ": the answer ended early: " + e.getMessage(), e);
        }
    }
}
