/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Runs every new pod as a service account, {@code default} unless it names another, and mounts a token of the account
 * into its containers (upstream: the plug-in {@code ServiceAccount}).
 *
 * <p>Thread-safe. A request blocks while its account {@code default} is missing; see {@link AccountLookup}.
 */
final class ServiceAccountAdmission implements AdmissionPlugin {

    private static final String NAME = "serviceAccountName";
    private static final String AUTOMOUNT = "automountServiceAccountToken";
    private static final String MOUNTS = "volumeMounts";
    private static final String PULL_SECRETS = "imagePullSecrets";
    private static final String VOLUME_PREFIX = "kube-api-access-";
    private static final String MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final List<String> MOUNTING = List.of("initContainers", "containers");

    /** As long as kube-apiserver looks for a default account at most. */
    private static final Duration PATIENCE = Duration.ofMillis(1800);

    /** A token, the certificates of the server, and the namespace, as files. */
    private static final JsonObject TOKEN_SOURCE = JsonObject.parse("""
            {"sources": [
              {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
              {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
              {"downwardAPI": {"items": [
                {"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}],
             "defaultMode": 420}
            """);

    private final AccountLookup accounts;
    private final UnaryOperator<String> names;

    ServiceAccountAdmission(ApiBackend backend) {
        this(
                new AccountLookup(
                        backend.storage(),
                        Objects.requireNonNull(backend.storeOfKind("v1", "ServiceAccount"), "service accounts"),
                        PATIENCE),
                backend.names()::generate);
    }

    /**
     * Creates the plug-in.
     *
     * @param names returns a name with a random end for a prefix
     */
    ServiceAccountAdmission(AccountLookup accounts, UnaryOperator<String> names) {
        this.accounts = accounts;
        this.names = names;
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        if (!Targets.creates(request, "pods")) {
            return object;
        }
        if (isMirror(object)) {
            validate(request, object); // the kubelet would delete a mirror pod that differs from its file
            return object;
        }
        JsonObject spec = object.object("spec");
        if (spec.string(NAME).isEmpty()) {
            spec = spec.with(NAME, AccountLookup.DEFAULT).with("serviceAccount", AccountLookup.DEFAULT);
        }
        JsonObject account = account(request, spec.string(NAME));
        if (mounts(spec, account)) {
            spec = withToken(spec);
        }
        if (spec.array(PULL_SECRETS).isEmpty()) {
            List<JsonObject> secrets = account.array(PULL_SECRETS)
                    .objects()
                    .map(secret -> JsonObject.EMPTY.with("name", secret.string("name")))
                    .toList();
            spec = secrets.isEmpty() ? spec.without(PULL_SECRETS) : spec.with(PULL_SECRETS, JsonArray.of(secrets));
        }
        JsonObject admitted = object.with("spec", spec);
        validate(request, admitted);
        return admitted;
    }

    private static boolean isMirror(JsonObject pod) {
        return pod.get("metadata", "annotations", "kubernetes.io/config.mirror") != null;
    }

    private JsonObject account(AdmissionRequest request, String name) {
        JsonObject found = accounts.find(request.namespace(), name);
        if (found == null) {
            String problem = Targets.pathProblem(name);
            throw request.forbidden("error looking up service account " + request.namespace() + "/" + name + ": "
                    + (problem == null ? "serviceaccount \"" + name + "\" not found" : problem));
        }
        return found;
    }

    /** The pod decides; if it does not, its account does. */
    private static boolean mounts(JsonObject spec, JsonObject account) {
        return spec.has(AUTOMOUNT) ? spec.bool(AUTOMOUNT) : !account.has(AUTOMOUNT) || account.bool(AUTOMOUNT);
    }

    private JsonObject withToken(JsonObject spec) {
        List<JsonObject> volumes =
                new ArrayList<>(spec.array("volumes").objects().toList());
        String existing = volumes.stream()
                .map(volume -> volume.string("name"))
                .filter(name -> name.startsWith(VOLUME_PREFIX))
                .findFirst()
                .orElse("");
        String volume = existing.isEmpty() ? names.apply(VOLUME_PREFIX) : existing;
        JsonObject mounting = spec;
        for (String list : MOUNTING) {
            if (!spec.array(list).isEmpty()) {
                mounting = mounting.with(
                        list,
                        JsonArray.of(spec.array(list)
                                .objects()
                                .map(container -> withMount(container, volume))
                                .toList()));
            }
        }
        if (mounting.equals(spec) || !existing.isEmpty()) {
            return mounting;
        }
        volumes.add(JsonObject.EMPTY.with("name", volume).with("projected", TOKEN_SOURCE));
        return mounting.with("volumes", JsonArray.of(volumes));
    }

    /** A container that mounts another volume at the path keeps it. */
    private static JsonObject withMount(JsonObject container, String volume) {
        List<JsonObject> mounts =
                new ArrayList<>(container.array(MOUNTS).objects().toList());
        if (mounts.stream().anyMatch(mount -> mount.string("mountPath").equals(MOUNT_PATH))) {
            return container;
        }
        mounts.add(JsonObject.EMPTY.with("name", volume).with("readOnly", true).with("mountPath", MOUNT_PATH));
        return container.with(MOUNTS, JsonArray.of(mounts));
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        boolean creates = Targets.creates(request, "pods");
        boolean debugs = request.store().resource().toString().equals("pods")
                && request.subresource().equals("ephemeralcontainers")
                && request.operation() == Operation.UPDATE;
        if (!creates && !debugs) {
            return;
        }
        if (creates && isMirror(object)) {
            mirror(request, object);
            return;
        }
        String name = object.string("spec", NAME);
        if (name.isEmpty()) {
            throw request.forbidden(
                    "no service account specified for pod " + request.namespace() + "/" + Meta.name(object));
        }
        JsonObject account = account(request, name);
        JsonObject spec = object.object("spec");
        if (debugs) {
            String problem = MountableSecrets.problemOfDebugging(account, spec);
            if (!problem.isEmpty()) {
                throw StatusException.unclassified(problem); // as upstream, which gives this one no status
            }
            return;
        }
        String problem = MountableSecrets.problem(account, spec);
        if (!problem.isEmpty()) {
            throw request.forbidden(problem);
        }
    }

    private static void mirror(AdmissionRequest request, JsonObject pod) {
        JsonObject spec = pod.object("spec");
        if (!spec.string(NAME).isEmpty()) {
            throw request.forbidden("a mirror pod may not reference service accounts");
        }
        if (MountableSecrets.referencesSecrets(spec)) {
            throw request.forbidden("a mirror pod may not reference secrets");
        }
        Stream<JsonObject> projected = spec.array("volumes")
                .objects()
                .flatMap(volume -> volume.array("projected", "sources").objects());
        if (projected.anyMatch(source -> source.has("serviceAccountToken"))) {
            throw request.forbidden("a mirror pod may not use ServiceAccountToken volume projections");
        }
    }
}
