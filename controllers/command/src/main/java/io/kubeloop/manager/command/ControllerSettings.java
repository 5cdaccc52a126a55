/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.value.CidrRange;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.UsageException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.certificates.BuiltInSigner;
import io.kubeloop.controller.certificates.CertificateAuthority;
import io.kubeloop.controller.certificates.CertificateAuthorityFiles;
import io.kubeloop.controller.certificates.SigningConfig;
import io.kubeloop.controller.endpoint.EndpointControllerConfig;
import io.kubeloop.controller.endpointslice.EndpointSliceConfig;
import io.kubeloop.controller.namespace.NamespaceControllerConfig;
import io.kubeloop.controller.nodeipam.NodeIpamConfig;
import io.kubeloop.controller.nodelifecycle.NodeLifecycleConfig;
import io.kubeloop.controller.podautoscaling.PodAutoscalingConfig;
import io.kubeloop.controller.resourcequota.ResourceQuotaConfig;
import io.kubeloop.controller.volume.attachdetach.AttachDetachConfig;
import io.kubeloop.controller.volume.persistentvolume.PersistentVolumeConfig;
import io.kubeloop.controller.volume.persistentvolume.RecyclerPod;
import io.kubeloop.json.yaml.Manifests;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerOptionsBuilder;
import io.kubeloop.manager.ServiceAccountOptions;
import io.kubeloop.transport.http.SigningKeys;
import io.kubeloop.transport.http.TlsConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Makes the options of the controllers from the values of a command line. Holds no state. */
final class ControllerSettings {

    /** The options that state how many objects a controller syncs in parallel, by the short name of the controller. */
    private static final Map<String, String> SYNCS = Map.ofEntries(
            Map.entry("endpoint", "concurrent-endpoint-syncs"),
            Map.entry("endpointslice", "concurrent-service-endpoint-syncs"),
            Map.entry("endpointslicemirroring", "mirroring-concurrent-service-endpoint-syncs"),
            Map.entry("deployment", "concurrent-deployment-syncs"),
            Map.entry("replicaset", "concurrent-replicaset-syncs"),
            Map.entry("replicationcontroller", "concurrent-rc-syncs"),
            Map.entry("statefulset", "concurrent-statefulset-syncs"),
            Map.entry("daemonset", "concurrent-daemonset-syncs"),
            Map.entry("disruption", "concurrent-disruption-syncs"),
            Map.entry("job", "concurrent-job-syncs"),
            Map.entry("cronjob", "concurrent-cron-job-syncs"),
            Map.entry("ttl-after-finished", "concurrent-ttl-after-finished-syncs"),
            Map.entry("horizontalpodautoscaling", "concurrent-horizontal-pod-autoscaler-syncs"),
            Map.entry("garbagecollector", "concurrent-gc-syncs"),
            Map.entry("namespace", "concurrent-namespace-syncs"),
            Map.entry("resourcequota", "concurrent-resource-quota-syncs"),
            Map.entry("ephemeral-volume", "concurrent-ephemeralvolume-syncs"),
            Map.entry("resource-claim-controller", "concurrent-resourceclaim-syncs"),
            Map.entry("device-taint-eviction-controller", "concurrent-device-taint-eviction-syncs"),
            Map.entry(
                    "validatingadmissionpolicy-status-controller",
                    "concurrent-validating-admission-policy-status-syncs"),
            Map.entry("serviceaccount-token", "concurrent-serviceaccount-token-syncs"));

    /** The prefixes of the options that name the files of one signer. */
    private static final Map<BuiltInSigner, String> SIGNERS = new EnumMap<>(Map.of(
            BuiltInSigner.KUBELET_SERVING, "cluster-signing-kubelet-serving",
            BuiltInSigner.KUBELET_CLIENT, "cluster-signing-kubelet-client",
            BuiltInSigner.API_SERVER_CLIENT, "cluster-signing-kube-apiserver-client",
            BuiltInSigner.LEGACY_UNKNOWN, "cluster-signing-legacy-unknown"));

    private static final String ALL_SIGNERS = "cluster-signing";

    private ControllerSettings() {}

    /**
     * Returns the options of the controllers, and reads the files that they name.
     *
     * @param connection the connection to the API server, whose authorities pods receive by default
     * @throws UsageException if a file cannot be read or has no usable content
     */
    static ControllerOptions read(OptionValues values, TlsConfig connection) {
        return ControllerOptionsBuilder.builder(ControllerOptions.DEFAULT.withSyncsOf(SYNCS.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> values.integer(entry.getValue())))))
                .endpoints(new EndpointControllerConfig(values.duration("endpoint-updates-batch-period")))
                .slices(new EndpointSliceConfig(
                        values.integer("max-endpoints-per-slice"),
                        values.duration("endpointslice-updates-batch-period")))
                .mirroring(new EndpointSliceConfig(
                        values.integer("mirroring-max-endpoints-per-subset"),
                        values.duration("mirroring-endpointslice-updates-batch-period")))
                .autoscaling(new PodAutoscalingConfig(
                        values.duration("horizontal-pod-autoscaler-sync-period"),
                        values.duration("horizontal-pod-autoscaler-downscale-stabilization"),
                        values.number("horizontal-pod-autoscaler-tolerance"),
                        values.duration("horizontal-pod-autoscaler-cpu-initialization-period"),
                        values.duration("horizontal-pod-autoscaler-initial-readiness-delay")))
                .namespaces(
                        NamespaceControllerConfig.DEFAULT.withResyncPeriod(values.duration("namespace-sync-period")))
                .quotas(new ResourceQuotaConfig(values.duration("resource-quota-sync-period")))
                .terminatedPodThreshold(values.integer("terminated-pod-gc-threshold"))
                .nodeLifecycle(new NodeLifecycleConfig(
                        values.duration("node-monitor-period"),
                        values.duration("node-monitor-grace-period"),
                        values.duration("node-startup-grace-period"),
                        values.number("node-eviction-rate"),
                        values.number("secondary-node-eviction-rate"),
                        values.integer("large-cluster-size-threshold"),
                        values.number("unhealthy-zone-threshold")))
                .nodeIpam(nodeRanges(values))
                .persistentVolumes(new PersistentVolumeConfig(
                        values.duration("pvclaimbinder-sync-period"),
                        values.bool("enable-dynamic-provisioning"),
                        recyclers(values)))
                .attachDetach(new AttachDetachConfig(
                        values.duration("attach-detach-reconcile-sync-period"),
                        !values.bool("disable-attach-detach-reconcile-sync"),
                        !values.bool("disable-force-detach-on-timeout")))
                .serviceAccounts(serviceAccounts(values, connection))
                .signing(new SigningConfig(authorities(values), values.duration("cluster-signing-duration")))
                .build();
    }

    private static Map<String, RecyclerPod> recyclers(OptionValues values) {
        return Map.of(
                "hostPath",
                recycler(
                        "pv-recycler-pod-template-filepath-hostpath",
                        values.text("pv-recycler-pod-template-filepath-hostpath"),
                        values.integer("pv-recycler-minimum-timeout-hostpath"),
                        values.integer("pv-recycler-timeout-increment-hostpath")),
                "nfs",
                recycler(
                        "pv-recycler-pod-template-filepath-nfs",
                        values.text("pv-recycler-pod-template-filepath-nfs"),
                        values.integer("pv-recycler-minimum-timeout-nfs"),
                        values.integer("pv-recycler-increment-timeout-nfs")));
    }

    private static RecyclerPod recycler(String option, String file, int minimum, int increment) {
        try {
            GenericObject template = file.isEmpty()
                    ? RecyclerPod.DEFAULT_TEMPLATE
                    : RecyclerPod.pod(Manifests.read(Path.of(file)).stream()
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException("it contains no pod")));
            return new RecyclerPod(template, minimum, increment);
        } catch (RuntimeException e) {
            throw new UsageException(
                    "--" + option + ": cannot make a recycler pod from file " + file + ": " + Errors.text(e));
        }
    }

    private static NodeIpamConfig nodeRanges(OptionValues values) {
        if (!values.bool("allocate-node-cidrs")) {
            return NodeIpamConfig.NONE;
        }
        int both = values.integer("node-cidr-mask-size");
        try {
            return new NodeIpamConfig(
                    ranges(values, "cluster-cidr"),
                    ranges(values, "service-cluster-ip-range"),
                    firstPositive(values.integer("node-cidr-mask-size-ipv4"), both, NodeIpamConfig.NONE.prefixV4()),
                    firstPositive(values.integer("node-cidr-mask-size-ipv6"), both, NodeIpamConfig.NONE.prefixV6()));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--cluster-cidr: " + e.getMessage());
        }
    }

    private static List<CidrRange> ranges(OptionValues values, String option) {
        String text = values.text(option);
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(CidrRange::parse).toList();
    }

    private static int firstPositive(int... numbers) {
        return Arrays.stream(numbers).filter(number -> number > 0).findFirst().orElseThrow();
    }

    private static ServiceAccountOptions serviceAccounts(OptionValues values, TlsConfig connection) {
        String file = values.text("root-ca-file");
        String ca = connection.caData();
        if (!file.isEmpty()) {
            ca = content("--root-ca-file", file);
            if (!ca.contains("-----BEGIN CERTIFICATE-----")) {
                throw new UsageException("--root-ca-file " + file + " contains no PEM certificate");
            }
        } else if (ca.isEmpty() && !connection.caFile().isEmpty()) {
            ca = content("the certificate-authority of the kubeconfig", connection.caFile());
        }
        String keyFile = values.text("service-account-private-key-file");
        return new ServiceAccountOptions(
                keyFile.isEmpty() ? null : key(keyFile),
                ca,
                values.duration("legacy-service-account-token-clean-up-period"));
    }

    private static KeyPair key(String file) {
        try {
            return SigningKeys.parse(content("--service-account-private-key-file", file));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--service-account-private-key-file " + file + ": " + e.getMessage());
        }
    }

    private static String content(String flag, String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UsageException(flag + ": cannot read " + file + ": " + e);
        }
    }

    /**
     * As upstream, nothing is signed if only one of {@code --cluster-signing-cert-file} and {@code
     * --cluster-signing-key-file} is given.
     */
    private static Map<BuiltInSigner, Supplier<CertificateAuthority>> authorities(OptionValues values) {
        Map<BuiltInSigner, Supplier<CertificateAuthority>> authorities = new EnumMap<>(BuiltInSigner.class);
        if (!certificate(values, ALL_SIGNERS).isEmpty()
                && !key(values, ALL_SIGNERS).isEmpty()) {
            authorities.putAll(SigningConfig.of(authority(values, ALL_SIGNERS)).authorities());
        }
        SIGNERS.forEach((signer, prefix) -> {
            if (!certificate(values, prefix).isEmpty()) {
                authorities.put(signer, authority(values, prefix));
            }
        });
        return authorities;
    }

    private static String certificate(OptionValues values, String prefix) {
        return values.text(prefix + "-cert-file");
    }

    private static String key(OptionValues values, String prefix) {
        return values.text(prefix + "-key-file");
    }

    private static CertificateAuthorityFiles authority(OptionValues values, String prefix) {
        String certificate = certificate(values, prefix);
        String key = key(values, prefix);
        try {
            return CertificateAuthorityFiles.read(Path.of(certificate), Path.of(key));
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw new UsageException("--" + prefix + "-cert-file " + certificate + ", --" + prefix + "-key-file " + key
                    + ": " + e.getMessage());
        }
    }

    /**
     * Returns what is wrong with the combination of options that each are right. The words are those of
     * kube-controller-manager.
     */
    static List<String> problems(OptionValues values) {
        List<String> problems = new ArrayList<>();
        boolean hasSingle = false;
        for (String prefix : SIGNERS.values()) {
            // The original's messages about two of the signers name the other one.
            String named = switch (prefix) {
                case "cluster-signing-kubelet-client" -> "cluster-signing-kube-apiserver-client";
                case "cluster-signing-kube-apiserver-client" -> "cluster-signing-kube-apiserver";
                default -> prefix;
            };
            boolean hasCertificate = !certificate(values, prefix).isEmpty();
            boolean hasKey = !key(values, prefix).isEmpty();
            hasSingle |= hasCertificate || hasKey;
            if (hasCertificate != hasKey) {
                problems.add("\"" + named + "\": cannot specify " + (hasKey ? "key without cert" : "cert without key"));
            }
        }
        if (values.duration("attach-detach-reconcile-sync-period").compareTo(Duration.ofSeconds(1)) < 0) {
            problems.add("duration time must be greater than one second as set via command line option"
                    + " reconcile-sync-loop-period");
        }
        String cloud = values.text("cloud-provider");
        if (!cloud.isEmpty() && !cloud.equals("external")) {
            problems.add(
                    "cloud provider \"" + cloud + "\" was specified, but built-in cloud providers are disabled. Please"
                            + " set --cloud-provider=external and migrate to an external cloud provider");
        }
        String allocator = values.text("cidr-allocator-type");
        if (!allocator.isEmpty() && !allocator.equals("RangeAllocator")) {
            problems.add("built-in cloud providers are disabled. The ipam " + allocator + " is not available");
        }
        if (values.text("service-cluster-ip-range")
                        .chars()
                        .filter(c -> c == ',')
                        .count()
                > 1) {
            problems.add("--service-cluster-ip-range can not contain more than two entries");
        }
        boolean hasAll = !certificate(values, ALL_SIGNERS).isEmpty()
                || !key(values, ALL_SIGNERS).isEmpty();
        if (hasAll && hasSingle) {
            problems.add(
                    "cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the"
                            + " same time");
        }
        return problems;
    }
}
