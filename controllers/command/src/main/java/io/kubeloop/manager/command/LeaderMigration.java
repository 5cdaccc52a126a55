/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.UsageException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import io.kubeloop.manager.ControllerDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The controllers that move between this manager and another one, such as a cloud's: a second lease protects them. The
 * option {@code --leader-migration-config} names a file of kind LeaderMigrationConfiguration. Immutable.
 *
 * @param leaderName the name of the second lease
 * @param components the component that runs a controller, {@code *} for each, by the name of the controller
 */
record LeaderMigration(String leaderName, Map<String, String> components) {

    private static final String COMPONENT = "kube-controller-manager";

    /** This controller makes the tokens of all others, so it runs with the first lease. */
    private static final String TOKENS = "serviceaccount-token-controller";

    private static final String GROUP = "controllermanager.config.k8s.io/";
    private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1", GROUP + "v1alpha1");

    /** The names are those that the original has in its code. They are of an older release and match no controller. */
    private static final LeaderMigration DEFAULT = new LeaderMigration(
            "cloud-provider-extraction-migration",
            Map.of("route-controller", "*", "service-controller", "*", "cloud-node-lifecycle-controller", "*"));

    /**
     * Returns the migration of a command line; one without controllers if it is off.
     *
     * @throws UsageException if the file cannot be read or is wrong, in the words of kube-controller-manager where
     *     they do not name Go's types
     */
    static LeaderMigration of(OptionValues values) {
        String file = values.text("leader-migration-config");
        if (!values.bool("enable-leader-migration") || !values.bool("leader-elect")) {
            return new LeaderMigration("", Map.of());
        }
        return file.isEmpty() ? DEFAULT : read(file);
    }

    boolean isEnabled() {
        return !leaderName.isEmpty();
    }

    private static LeaderMigration read(String file) {
        List<JsonObject> documents;
        try {
            documents = Manifests.read(file, Files.readString(Path.of(file)));
        } catch (IOException e) {
            throw new UsageException("unable to read leader migration configuration from \"" + file + "\": " + e);
        } catch (DecodeException e) {
            throw new UsageException("unable to read leader migration configuration: " + e.getMessage());
        }
        if (documents.size() != 1) {
            throw new UsageException("the leader migration configuration " + file + " must have one document");
        }
        JsonObject config = documents.get(0);
        String version = config.string("apiVersion");
        if (!VERSIONS.contains(version) || !config.string("kind").equals("LeaderMigrationConfiguration")) {
            throw new UsageException(
                    "no kind \"" + config.string("kind") + "\" is registered for version \"" + version + "\"");
        }
        boolean hasLock = !version.endsWith("/v1");
        Set<String> known = hasLock
                ? Set.of("apiVersion", "kind", "leaderName", "resourceLock", "controllerLeaders")
                : Set.of("apiVersion", "kind", "leaderName", "controllerLeaders");
        checkFields("", config, known);
        return checked(config, hasLock ? config.string("resourceLock") : "leases");
    }

    private static void checkFields(String path, JsonObject object, Set<String> known) {
        for (String name : object.members().keySet()) {
            if (!known.contains(name)) {
                throw new UsageException("strict decoding error: unknown field \"" + path + name + "\"");
            }
        }
    }

    private static LeaderMigration checked(JsonObject config, String lock) {
        List<String> problems = new ArrayList<>();
        String leader = config.string("leaderName");
        if (leader.isEmpty()) {
            problems.add("leaderName: Required value: leaderName must be set for LeaderMigrationConfiguration");
        }
        if (!lock.equals("leases")) {
            problems.add(
                    lock.equals("endpoints")
                            ? "resourceLock: Invalid value: \"endpoints\": the lock is removed, use leases"
                            : "resourceLock: Invalid value: \"" + lock
                                    + "\": resource Lock must be one of 'leases' or 'endpoints'");
        }
        Map<String, String> components = new LinkedHashMap<>();
        int index = 0;
        for (JsonObject each : config.array("controllerLeaders").objects().toList()) {
            String path = "controllerLeaders[" + index + "].";
            checkFields(path, each, Set.of("name", "component"));
            for (String field : List.of("component", "name")) {
                if (each.string(field).isEmpty()) {
                    problems.add(path + field + ": Required value");
                }
            }
            components.put(each.string("name"), each.string("component"));
            index++;
        }
        if (!problems.isEmpty()) {
            throw new UsageException(
                    "failed to parse leader migration configuration: [" + String.join(" ", problems) + "]");
        }
        return new LeaderMigration(leader, components);
    }

    /** Returns whether a controller runs with the first lease. */
    boolean stays(ControllerDescriptor controller) {
        return controller.name().equals(TOKENS) || !components.containsKey(controller.name());
    }

    /** Returns whether a controller runs with the second lease. Others run in another manager. */
    boolean migrates(ControllerDescriptor controller) {
        String component = components.get(controller.name());
        return !controller.name().equals(TOKENS) && ("*".equals(component) || COMPONENT.equals(component));
    }
}
