/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.kinds.admission.StandardPlugins;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurity;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.json.tree.JsonObject;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The admission plug-ins that a server runs, by kube-apiserver's names, such as {@code LimitRanger}. The order of the
 * calls is fixed; see {@link #names}. Immutable; thread-safe.
 *
 * <p>The plug-in {@code ServiceAccount} rejects pods in a namespace without the service account {@code default}, which
 * a controller creates. {@link #WITHOUT_CONTROLLERS} therefore leaves it out, as envtest does.
 */
public final class AdmissionSelection {

    /** Every plug-in that kube-apiserver runs by default and that this server has. */
    public static final AdmissionSelection STANDARD = new AdmissionSelection(StandardPlugins.names(), JsonObject.EMPTY);

    /** The standard plug-ins without {@code ServiceAccount}, for a server without controllers. */
    public static final AdmissionSelection WITHOUT_CONTROLLERS = STANDARD.disable("ServiceAccount");

    private static final String POD_SECURITY = "PodSecurity";

    private final Set<String> enabled;
    private final JsonObject podSecurity;

    private AdmissionSelection(Collection<String> enabled, JsonObject podSecurity) {
        this.enabled = Set.copyOf(enabled);
        this.podSecurity = podSecurity;
    }

    /** Returns the names of all plug-ins that this server has, in the order of their calls. */
    public static List<String> names() {
        return StandardPlugins.names();
    }

    /**
     * Returns a selection with these plug-ins in addition.
     *
     * @throws IllegalArgumentException if a plug-in is unknown; the message names it
     */
    public AdmissionSelection enable(String... plugins) {
        Set<String> more = new LinkedHashSet<>(enabled);
        for (String plugin : plugins) {
            check(plugin);
            more.add(plugin);
        }
        return new AdmissionSelection(more, podSecurity);
    }

    /**
     * Returns a selection without these plug-ins.
     *
     * @throws IllegalArgumentException if a plug-in is unknown; the message names it
     */
    public AdmissionSelection disable(String... plugins) {
        Set<String> fewer = new LinkedHashSet<>(enabled);
        for (String plugin : plugins) {
            check(plugin);
            fewer.remove(plugin);
        }
        return new AdmissionSelection(fewer, podSecurity);
    }

    /**
     * Returns a selection with the configuration of a plug-in, in JSON. Only {@code PodSecurity} has one: a {@code
     * PodSecurityConfiguration} with {@code defaults} and {@code exemptions}.
     *
     * @throws IllegalArgumentException if the plug-in has no configuration, or this one is invalid; the message names
     *     it
     */
    public AdmissionSelection configure(String plugin, String configuration) {
        if (!plugin.equals(POD_SECURITY)) {
            throw new IllegalArgumentException("the admission plugin \"" + plugin + "\" has no configuration here");
        }
        JsonObject parsed;
        try {
            parsed = JsonObject.parse(configuration);
        } catch (DecodeException e) {
            throw new IllegalArgumentException("cannot read the configuration of " + plugin + ": " + e.getMessage(), e);
        }
        PodSecurity.require(parsed);
        return new AdmissionSelection(enabled, parsed);
    }

    private static void check(String plugin) {
        if (!StandardPlugins.names().contains(plugin)) {
            throw new IllegalArgumentException("unknown admission plugin \"" + plugin + "\"; this server has "
                    + String.join(", ", StandardPlugins.names()));
        }
    }

    /** Returns whether the server runs this plug-in. */
    public boolean isEnabled(String plugin) {
        return enabled.contains(plugin);
    }

    List<AdmissionPlugin> create(ApiBackend backend, Authorizer authorizer) {
        return StandardPlugins.create(enabled, new StandardPlugins.Setting(backend, authorizer, podSecurity));
    }

    /** Returns the names of the plug-ins. */
    @Override
    public String toString() {
        return names().stream().filter(enabled::contains).toList().toString();
    }
}
