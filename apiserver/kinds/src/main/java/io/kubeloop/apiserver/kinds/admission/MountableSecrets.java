/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The secrets that pods refer to, and the limit to those of their service account, for accounts with the annotation
 * {@code kubernetes.io/enforce-mountable-secrets}. Static functions only.
 */
final class MountableSecrets {

    private static final String VALUE_FROM = "valueFrom";
    private static final String NOT_ALLOWED = "\" is not allowed because service account ";

    /** The lists of containers, and the names of their elements in messages. */
    private static final List<List<String>> LISTS =
            List.of(List.of("initContainers", "init container "), List.of("containers", "container "));

    /** The volume sources with a reference to a secret: the source, the reference, and the name in it. */
    private static final List<List<String>> REFERENCES = List.of(
            List.of("azureFile", "secretName"),
            List.of("cephfs", "secretRef", "name"),
            List.of("cinder", "secretRef", "name"),
            List.of("flexVolume", "secretRef", "name"),
            List.of("rbd", "secretRef", "name"),
            List.of("secret", "secretName"),
            List.of("scaleIO", "secretRef", "name"),
            List.of("iscsi", "secretRef", "name"),
            List.of("storageos", "secretRef", "name"),
            List.of("csi", "nodePublishSecretRef", "name"));

    private MountableSecrets() {}

    /** Returns why the account does not allow a new pod; empty if it does. */
    static String problem(JsonObject account, JsonObject spec) {
        if (!isEnforced(account)) {
            return "";
        }
        Set<String> allowed = names(account, "secrets");
        String end = notReferenced(account, "secret");
        for (JsonObject volume : spec.array("volumes").objects().toList()) {
            String secret = volume.string("secret", "secretName");
            if (volume.has("secret") && !allowed.contains(secret)) {
                return "volume with secret.secretName=\"" + secret + end;
            }
        }
        for (List<String> list : LISTS) {
            String problem = containers(spec, list.get(0), list.get(1), allowed, end);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        Set<String> pull = names(account, "imagePullSecrets");
        List<JsonObject> pulled = spec.array("imagePullSecrets").objects().toList();
        for (int i = 0; i < pulled.size(); i++) {
            String name = pulled.get(i).string("name");
            if (!pull.contains(name)) {
                return "imagePullSecrets[" + i + "].name=\"" + name + notReferenced(account, "imagePullSecret");
            }
        }
        return "";
    }

    /** Returns why the account does not allow the ephemeral containers of a pod; empty if it does. */
    static String problemOfDebugging(JsonObject account, JsonObject spec) {
        return isEnforced(account)
                ? containers(
                        spec,
                        "ephemeralContainers",
                        "ephemeral container ",
                        names(account, "secrets"),
                        notReferenced(account, "secret"))
                : "";
    }

    private static boolean isEnforced(JsonObject account) {
        String value = account.string("metadata", "annotations", "kubernetes.io/enforce-mountable-secrets");
        return Boolean.TRUE.equals(GoText.bool(value));
    }

    private static Set<String> names(JsonObject account, String list) {
        return account.array(list)
                .objects()
                .map(reference -> reference.string("name"))
                .collect(Collectors.toSet());
    }

    private static String notReferenced(JsonObject account, String what) {
        return NOT_ALLOWED + account.string("metadata", "name") + " does not reference that " + what;
    }

    private static String containers(JsonObject spec, String list, String what, Set<String> allowed, String end) {
        for (JsonObject container : spec.array(list).objects().toList()) {
            String start = what + container.string("name");
            for (JsonObject variable : container.array("env").objects().toList()) {
                String secret = variable.string(VALUE_FROM, "secretKeyRef", "name");
                if (variable.get(VALUE_FROM, "secretKeyRef") != null && !allowed.contains(secret)) {
                    return start + " with envVar " + variable.string("name") + " referencing secret.secretName=\""
                            + secret + end;
                }
            }
            for (JsonObject source : container.array("envFrom").objects().toList()) {
                String secret = source.string("secretRef", "name");
                if (source.has("secretRef") && !allowed.contains(secret)) {
                    return start + " with envFrom referencing secret.secretName=\"" + secret + end;
                }
            }
        }
        return "";
    }

    /** Returns whether anything in a pod refers to a secret. */
    static boolean referencesSecrets(JsonObject spec) {
        Stream<String> pulled = spec.array("imagePullSecrets").objects().map(secret -> secret.string("name"));
        Stream<String> ofContainers = Stream.of("initContainers", "containers", "ephemeralContainers")
                .flatMap(list -> spec.array(list).objects())
                .flatMap(container -> Stream.concat(
                        container.array("envFrom").objects().map(source -> source.string("secretRef", "name")),
                        container
                                .array("env")
                                .objects()
                                .map(variable -> variable.string(VALUE_FROM, "secretKeyRef", "name"))));
        Stream<String> ofVolumes = spec.array("volumes").objects().flatMap(MountableSecrets::ofVolume);
        return Stream.of(pulled, ofContainers, ofVolumes)
                .flatMap(stream -> stream)
                .anyMatch(name -> !name.isEmpty());
    }

    private static Stream<String> ofVolume(JsonObject volume) {
        return Stream.concat(
                REFERENCES.stream().map(path -> volume.string(path.toArray(String[]::new))),
                volume.array("projected", "sources").objects().map(source -> source.string("secret", "name")));
    }
}
