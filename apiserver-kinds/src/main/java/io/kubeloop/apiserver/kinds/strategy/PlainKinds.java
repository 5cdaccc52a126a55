package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.machinery.Names;
import java.util.HashMap;
import java.util.Map;

/**
 * The kinds that differ from each other in switches only, as lines of a table: the resource, its type, and its switches. The
 * later tables of {@link Strategies} replace lines whose kinds have rules too.
 */
final class PlainKinds {

    static final Map<String, KindStrategy.Entry> TABLE = parse("""
        persistentvolumeclaims core.v1.PersistentVolumeClaim status returns
        persistentvolumes core.v1.PersistentVolume status returns
        ingresses.networking.k8s.io networking.v1.Ingress status generation
        ingressclasses.networking.k8s.io networking.v1.IngressClass generation
        ipaddresses.networking.k8s.io networking.v1.IPAddress segment
        networkpolicies.networking.k8s.io networking.v1.NetworkPolicy generation
        csidrivers.storage.k8s.io storage.v1.CSIDriver returns versioned
        csinodes.storage.k8s.io storage.v1.CSINode returns versioned
        csistoragecapacities.storage.k8s.io storage.v1.CSIStorageCapacity versioned
        storageclasses.storage.k8s.io storage.v1.StorageClass returns
        volumeattachments.storage.k8s.io storage.v1.VolumeAttachment status returns versioned
        volumeattributesclasses.storage.k8s.io storage.v1.VolumeAttributesClass returns
        customresourcedefinitions.apiextensions.k8s.io apiextensions.v1.CustomResourceDefinition status generation versioned
        priorityclasses.scheduling.k8s.io scheduling.v1.PriorityClass whole
        runtimeclasses.node.k8s.io node.v1.RuntimeClass creates versioned
        deviceclasses.resource.k8s.io resource.v1.DeviceClass generation returns
        resourceclaims.resource.k8s.io resource.v1.ResourceClaim status returns
        resourceclaimtemplates.resource.k8s.io resource.v1.ResourceClaimTemplate returns
        resourceslices.resource.k8s.io resource.v1.ResourceSlice generation returns
        """);

    private PlainKinds() {}

    private static Map<String, KindStrategy.Entry> parse(String table) {
        Map<String, KindStrategy.Entry> entries = new HashMap<>();
        table.lines().forEach(line -> {
            String[] words = line.split(" ", -1);
            KindStrategy.Entry entry = KindStrategy.of(words[1]);
            for (int i = 2; i < words.length; i++) {
                entry = with(entry, words[i]);
            }
            entries.put(words[0], entry);
        });
        return entries;
    }

    private static KindStrategy.Entry with(KindStrategy.Entry entry, String word) {
        return switch (word) {
            case "status" -> entry.status();
            case "generation" -> entry.generation();
            case "whole" -> entry.generationOf("*");
            case "creates" -> entry.createsOnUpdate();
            case "versioned" -> entry.requiresVersionOnUpdate();
            case "returns" -> entry.returnsDeletedObject();
            case "segment" -> entry.names(Names::pathSegment);
            default -> throw new IllegalArgumentException("unknown switch: " + word);
        };
    }
}
