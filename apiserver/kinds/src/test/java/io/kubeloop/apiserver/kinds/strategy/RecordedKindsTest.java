/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The strategies against what kube-apiserver 1.37.2 answered: the stored form of a small and of a large object of each
 * kind, and the message about each change of the large one. {@code e2e/harness/kind_vectors.py} writes the files.
 */
class RecordedKindsTest {

    /** The server's own fields, which no strategy sets. */
    private static final List<String> SERVERS_METADATA = List.of("resourceVersion", "managedFields", "generation");

    private static final List<List<String>> ADMITTED = List.of(
            List.of("spec", "priority"),
            List.of("spec", "extra"), // the credential of the client
            List.of("spec", "preemptionPolicy"),
            List.of("spec", "tolerations"),
            List.of("spec", "taints"),
            List.of("metadata", "finalizers"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admissionregistration.k8s.io_v1_mutatingadmissionpolicies",
                "admissionregistration.k8s.io_v1_mutatingadmissionpolicybindings",
                "admissionregistration.k8s.io_v1_mutatingwebhookconfigurations",
                "admissionregistration.k8s.io_v1_validatingadmissionpolicies",
                "admissionregistration.k8s.io_v1_validatingadmissionpolicybindings",
                "admissionregistration.k8s.io_v1_validatingwebhookconfigurations",
                "apiregistration.k8s.io_v1_apiservices",
                "apps_v1_controllerrevisions",
                "apps_v1_daemonsets",
                "apps_v1_deployments",
                "apps_v1_replicasets",
                "apps_v1_statefulsets",
                "autoscaling_v2_horizontalpodautoscalers",
                "batch_v1_cronjobs",
                "batch_v1_jobs",
                "certificates.k8s.io_v1_certificatesigningrequests",
                "certificates.k8s.io_v1_clustertrustbundles",
                "certificates.k8s.io_v1_podcertificaterequests",
                "coordination.k8s.io_v1_leases",
                "discovery.k8s.io_v1_endpointslices",
                "flowcontrol.apiserver.k8s.io_v1_flowschemas",
                "flowcontrol.apiserver.k8s.io_v1_prioritylevelconfigurations",
                "networking.k8s.io_v1_ingressclasses",
                "networking.k8s.io_v1_ingresses",
                "networking.k8s.io_v1_ipaddresses",
                "networking.k8s.io_v1_networkpolicies",
                "networking.k8s.io_v1_servicecidrs",
                "node.k8s.io_v1_runtimeclasses",
                "policy_v1_poddisruptionbudgets",
                "rbac.authorization.k8s.io_v1_clusterrolebindings",
                "rbac.authorization.k8s.io_v1_clusterroles",
                "rbac.authorization.k8s.io_v1_rolebindings",
                "rbac.authorization.k8s.io_v1_roles",
                "resource.k8s.io_v1_deviceclasses",
                "resource.k8s.io_v1_devicetaintrules",
                "resource.k8s.io_v1_resourceclaims",
                "resource.k8s.io_v1_resourceclaimtemplates",
                "resource.k8s.io_v1_resourceslices",
                "scheduling.k8s.io_v1_priorityclasses",
                "storage.k8s.io_v1_csidrivers",
                "storage.k8s.io_v1_csinodes",
                "storage.k8s.io_v1_csistoragecapacities",
                "storage.k8s.io_v1_storageclasses",
                "storage.k8s.io_v1_volumeattachments",
                "storage.k8s.io_v1_volumeattributesclasses",
                "storagemigration.k8s.io_v1_storageversionmigrations",
                "v1_configmaps",
                "v1_endpoints",
                "v1_events",
                "v1_limitranges",
                "v1_namespaces",
                "v1_nodes",
                "v1_persistentvolumeclaims",
                "v1_persistentvolumes",
                "v1_pods",
                "v1_podtemplates",
                "v1_replicationcontrollers",
                "v1_resourcequotas",
                "v1_secrets",
                "v1_serviceaccounts"
            })
    void answersAsRecorded(String file) throws IOException {
        JsonObject vectors = read(file);
        Kind kind = new Kind(vectors.string("key"), Meta.namespace(vectors.object("minimal", "stored")));
        List<String> problems = new ArrayList<>();
        for (String which : List.of("minimal", "rich")) {
            JsonObject stored = vectors.object(which, "stored");
            JsonObject own = kind.created(
                    vectors.object(which, "sent"), Meta.uid(stored), Meta.text(stored, "creationTimestamp"));
            problems.addAll(differences(which, bare(stored), bare(kind.strategy.read(own))));
        }
        JsonObject whole = vectors.object("whole");
        vectors.array("cases").objects().forEach(test -> {
            JsonObject object = test.has("merge")
                    ? merged(vectors.object("minimal", "sent"), test.object("merge"))
                    : changed(whole, test);
            check("create", test, kind.create(object), problems);
        });
        JsonObject old = kind.strategy.defaults(old(vectors));
        vectors.array("updates")
                .objects()
                .forEach(test ->
                        check("update", test, kind.update(changed(old(vectors), withUid(test)), old), problems));
        assertThat(problems).isEmpty();
    }

    private static JsonObject read(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(RecordedKindsTest.class.getResourceAsStream(file + ".json"))) {
            return JsonObject.parse(in.readAllBytes());
        }
    }

    private static void check(String verb, JsonObject test, String own, List<String> problems) {
        String expected = withoutEmpty(test.string("message")).replaceAll("<uid of [^>]*>", "<uid>");
        String got = withoutEmpty(own).replaceAll("<uid of [^>]*>|11111111-2222-3333-4444-555555555555", "<uid>");
        if (!expected.replaceFirst("c\" is invalid", "?\" is invalid")
                .equals(got.replaceFirst("a\" is invalid", "?\" is invalid"))) {
            problems.add(verb + " "
                    + (test.has("merge") ? test.string("step") : test.array("path") + "=" + test.get("value"))
                    + "\n  real " + expected + "\n  ours " + got);
        }
    }

    /** An empty value and an absent one differ in some of upstream's messages, but mean the same. */
    private static String withoutEmpty(String message) {
        return message.replace("[]", "null")
                .replace("{}", "null")
                .replace("spec.request: Invalid value: \"\"", "spec.request: Invalid value: null");
    }

    /** The UID has to be a UID. */
    private static JsonObject old(JsonObject vectors) {
        return withUid(vectors.object("old"));
    }

    private static JsonObject withUid(JsonObject object) {
        return JsonObject.parse(object.toString()
                .replaceAll("\\\\u003cuid of [^\\\\]*\\\\u003e", "11111111-2222-3333-4444-555555555555"));
    }

    private static JsonObject bare(JsonObject object) {
        JsonObject result = object;
        for (List<String> path : ADMITTED) {
            result = result.without(path);
        }
        for (String field : SERVERS_METADATA) {
            result = Meta.without(result, field);
        }
        return result;
    }

    /** A kind with the requests of a client. */
    private static final class Kind {

        final ServedResource resource;
        final RestStrategy strategy;

        private final String namespace;

        Kind(String key, String namespace) {
            this.namespace = namespace;
            String version = key.substring(0, key.lastIndexOf('/'));
            String plural = key.substring(key.lastIndexOf('/') + 1);
            ResourceDefinition definition = BuiltInKinds.create().definitions().stream()
                    .filter(some -> some.resource().type().apiVersion().equals(version))
                    .filter(some -> some.resource().type().plural().equals(plural))
                    .findFirst()
                    .orElseThrow();
            resource = definition.resource();
            strategy = definition.strategy();
        }

        JsonObject created(JsonObject sent, String uid, String time) {
            JsonObject object = sent;
            if (resource.type().isNamespaced()) {
                object = Meta.with(object, "namespace", namespace);
            }
            JsonObject complete = strategy.defaults(
                    Meta.with(Meta.with(withoutNulls(object), "uid", uid), "creationTimestamp", time));
            JsonObject prepared = strategy.prepareForCreate(strategy.timed(complete, () -> time));
            return strategy.read(strategy.signed(
                    prepared, null, RestStrategy.Part.MAIN, new RestStrategy.Origin(UserInfo.ADMIN, time)));
        }

        String create(JsonObject sent) {
            JsonObject object = created(sent, "11111111-2222-3333-4444-555555555555", "");
            FieldErrors errors = new FieldErrors();
            strategy.validate(object, errors);
            strategy.validateCreate(object, errors);
            return message(object, errors);
        }

        String update(JsonObject sent, JsonObject old) {
            JsonObject object =
                    strategy.prepareForUpdate(strategy.defaults(withoutNulls(sent)), old, RestStrategy.Part.MAIN);
            FieldErrors errors = new FieldErrors();
            for (RestStrategy.UpdateStep step : strategy.updateSteps(RestStrategy.Part.MAIN)) {
                if (step == RestStrategy.UpdateStep.OBJECT) {
                    strategy.validate(object, errors);
                } else if (step == RestStrategy.UpdateStep.CHANGE) {
                    strategy.validateUpdate(object, old, RestStrategy.Part.MAIN, errors);
                }
            }
            return message(object, errors);
        }

        private String message(JsonObject object, FieldErrors errors) {
            return errors.isEmpty()
                    ? ""
                    : Objects.requireNonNull(StatusException.invalid(
                                    resource.type().group(), resource.type().kind(), Meta.name(object), errors)
                            .getMessage());
        }
    }

    private static JsonObject withoutNulls(JsonObject object) {
        JsonObject result = object;
        for (var member : object.members().entrySet()) {
            if (member.getValue() == JsonNull.NULL) {
                result = result.without(member.getKey());
            } else if (member.getValue() instanceof JsonObject inner) {
                result = result.with(member.getKey(), withoutNulls(inner));
            }
        }
        return result;
    }

    private static JsonObject changed(JsonObject object, JsonObject test) {
        List<JsonValue> path = test.array("path").elements();
        return (JsonObject) at(object, path, test.get("value"));
    }

    private static JsonValue at(JsonValue holder, List<JsonValue> path, @Nullable JsonValue value) {
        boolean last = path.size() == 1;
        if (path.get(0) instanceof JsonNumber index) {
            List<JsonValue> elements = new ArrayList<>(((JsonArray) holder).elements());
            int i = Objects.requireNonNull(index.toLong()).intValue();
            if (last && value == null) {
                elements.remove(i);
            } else {
                elements.set(i, last ? value : at(elements.get(i), path.subList(1, path.size()), value));
            }
            return JsonArray.of(elements);
        }
        String name = ((JsonString) path.get(0)).value();
        JsonObject object = (JsonObject) holder;
        if (last) {
            return value == null ? object.without(name) : object.with(name, value);
        }
        return object.with(name, at(Objects.requireNonNull(object.get(name)), path.subList(1, path.size()), value));
    }

    private static JsonObject merged(JsonObject target, JsonObject patch) {
        JsonObject result = target;
        for (var member : patch.members().entrySet()) {
            JsonValue value = member.getValue();
            if (value == JsonNull.NULL) {
                result = result.without(member.getKey());
            } else {
                result = result.with(
                        member.getKey(),
                        value instanceof JsonObject inner ? merged(result.object(member.getKey()), inner) : value);
            }
        }
        return result;
    }

    private static List<String> differences(String path, JsonValue real, JsonValue own) {
        List<String> found = new ArrayList<>();
        if (real instanceof JsonObject one && own instanceof JsonObject other) {
            for (String name : one.members().keySet()) {
                JsonValue value = other.get(name);
                found.addAll(
                        value == null
                                ? List.of(path + "." + name + " is absent, real " + one.get(name))
                                : differences(path + "." + name, Objects.requireNonNull(one.get(name)), value));
            }
            other.members().forEach((name, value) -> {
                if (!one.has(name)) {
                    found.add(path + "." + name + " is " + value + ", really absent");
                }
            });
        } else if (real instanceof JsonArray one && own instanceof JsonArray other && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                found.addAll(differences(path + "[" + i + "]", one.get(i), other.get(i)));
            }
        } else if (!real.equals(own) && !path.endsWith("metadata.namespace") && !path.endsWith("lastTransitionTime")) {
            found.add(path + " is " + own + ", really " + real);
        }
        return found;
    }
}
