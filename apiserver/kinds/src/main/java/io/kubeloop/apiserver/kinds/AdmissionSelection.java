package io.kubeloop.apiserver.kinds;

import io.kubeloop.apiserver.kinds.admission.StandardPlugins;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The admission plug-ins that a server runs, by kube-apiserver's names, such as {@code LimitRanger}. The order of the calls
 * is fixed; see {@link #names}. Immutable; thread-safe.
 *
 * <p>The plug-in {@code ServiceAccount} rejects pods in a namespace without the service account {@code default}, which a
 * controller creates. {@link #WITHOUT_CONTROLLERS} therefore leaves it out, as envtest does.
 */
public final class AdmissionSelection {

    /** Every plug-in that kube-apiserver runs by default and that this server has. */
    public static final AdmissionSelection STANDARD = new AdmissionSelection(StandardPlugins.names());

    /** The standard plug-ins without {@code ServiceAccount}, for a server without controllers. */
    public static final AdmissionSelection WITHOUT_CONTROLLERS = STANDARD.disable("ServiceAccount");

    /** kube-apiserver's default plug-ins without an effect here: no containers. */
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("CertificateApproval", "CertificateSigning", "ClusterTrustBundleAttest", "PodSecurity");

    private final Set<String> enabled;

    private AdmissionSelection(Collection<String> enabled) {
        this.enabled = Set.copyOf(enabled);
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
        return new AdmissionSelection(more);
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
        return new AdmissionSelection(fewer);
    }

    private static void check(String plugin) {
        if (!StandardPlugins.names().contains(plugin) && !WITHOUT_EFFECT.contains(plugin)) {
            throw new IllegalArgumentException("unknown admission plugin \"" + plugin + "\"; this server has "
                    + String.join(", ", StandardPlugins.names()));
        }
    }

    /** Returns whether the server runs this plug-in. */
    public boolean isEnabled(String plugin) {
        return enabled.contains(plugin);
    }

    Set<String> enabled() {
        return enabled;
    }

    /** Returns the names of the plug-ins. */
    @Override
    public String toString() {
        return names().stream().filter(enabled::contains).toList().toString();
    }
}
