/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.kubeconfig;

import io.kubeloop.transport.http.Impersonation;
import io.kubeloop.transport.http.Kubeconfig;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Merges overrides into the entries of a file, field by field, with the exceptions that upstream has. Stateless. */
final class OverrideMerger {

    private OverrideMerger() {}

    static Kubeconfig.Context context(Kubeconfig.Context base, Kubeconfig.Context over) {
        return new Kubeconfig.Context(
                KubeconfigDefaults.either(over.cluster(), base.cluster()),
                KubeconfigDefaults.either(over.user(), base.user()),
                KubeconfigDefaults.either(over.namespace(), base.namespace()));
    }

    /**
     * Merges a cluster. An override of the server's verification replaces all verification settings, so that no
     * remaining setting contradicts it. An override of the server removes the TLS name of the file's server.
     */
    static Kubeconfig.Cluster cluster(Kubeconfig.Cluster base, Kubeconfig.Cluster over) {
        boolean verification = over.insecureSkipTlsVerify()
                || !over.certificateAuthority().isEmpty()
                || !over.certificateAuthorityData().isEmpty();
        Kubeconfig.Cluster trust = verification ? over : base;
        boolean name = !over.tlsServerName().isEmpty() || !over.server().isEmpty();
        return new Kubeconfig.Cluster(
                base.origin(),
                KubeconfigDefaults.either(over.server(), base.server()),
                name ? over.tlsServerName() : base.tlsServerName(),
                trust.insecureSkipTlsVerify(),
                trust.certificateAuthority(),
                trust.certificateAuthorityData(),
                KubeconfigDefaults.either(over.proxyUrl(), base.proxyUrl()),
                over.disableCompression() || base.disableCompression(),
                KubeconfigDefaults.either(over.execConfig(), base.execConfig()));
    }

    /**
     * Merges a user. An override of a certificate replaces both its forms, the file and the data. The same holds for
     * the key.
     */
    static Kubeconfig.User user(Kubeconfig.User base, Kubeconfig.User over) {
        boolean certificate = !over.clientCertificate().isEmpty()
                || !over.clientCertificateData().isEmpty();
        boolean key = !over.clientKey().isEmpty() || !over.clientKeyData().isEmpty();
        Impersonation as = over.impersonation();
        Impersonation baseAs = base.impersonation();
        return new Kubeconfig.User(
                certificate ? over.clientCertificate() : base.clientCertificate(),
                certificate ? over.clientCertificateData() : base.clientCertificateData(),
                key ? over.clientKey() : base.clientKey(),
                key ? over.clientKeyData() : base.clientKeyData(),
                KubeconfigDefaults.either(over.token(), base.token()),
                KubeconfigDefaults.either(over.tokenFile(), base.tokenFile()),
                new Impersonation(
                        KubeconfigDefaults.either(as.user(), baseAs.user()),
                        KubeconfigDefaults.either(as.uid(), baseAs.uid()),
                        as.groups().isEmpty() ? baseAs.groups() : as.groups(),
                        union(baseAs.extra(), as.extra())),
                KubeconfigDefaults.either(over.username(), base.username()),
                KubeconfigDefaults.either(over.password(), base.password()),
                over.exec() == null ? base.exec() : over.exec(),
                over.authProvider() == null ? base.authProvider() : over.authProvider());
    }
    /** Merges maps key by key. Lists, in contrast, are replaced as a whole. */
    private static Map<String, List<String>> union(Map<String, List<String>> base, Map<String, List<String>> over) {
        Map<String, List<String>> all = new HashMap<>(base);
        all.putAll(over);
        return all;
    }
}
