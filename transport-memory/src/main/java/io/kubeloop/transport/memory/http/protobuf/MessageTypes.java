package io.kubeloop.transport.memory.http.protobuf;

import io.kubeloop.transport.memory.http.protobuf.MessageType.Field;
import io.kubeloop.transport.memory.http.protobuf.MessageType.Kind;
import java.util.Map;

/** The kinds that kubectl sends in protocol buffers. The numbers are those of {@code generated.proto} of k8s.io/api. */
final class MessageTypes {

    private static final MessageType OWNER = MessageType.of("OwnerReference")
            .with(1, Field.of("kind", Kind.STRING))
            .with(3, Field.of("name", Kind.STRING))
            .with(4, Field.of("uid", Kind.STRING))
            .with(5, Field.of("apiVersion", Kind.STRING))
            .with(6, Field.pointer("controller", Kind.BOOLEAN))
            .with(7, Field.pointer("blockOwnerDeletion", Kind.BOOLEAN));

    private static final MessageType METADATA = MessageType.of("ObjectMeta")
            .with(1, Field.of("name", Kind.STRING))
            .with(2, Field.of("generateName", Kind.STRING))
            .with(3, Field.of("namespace", Kind.STRING))
            .with(4, Field.of("selfLink", Kind.IGNORED))
            .with(5, Field.of("uid", Kind.STRING))
            .with(6, Field.of("resourceVersion", Kind.STRING))
            .with(7, Field.of("generation", Kind.INTEGER))
            .with(8, Field.of("creationTimestamp", Kind.TIME))
            .with(9, Field.pointer("deletionTimestamp", Kind.TIME))
            .with(10, Field.pointer("deletionGracePeriodSeconds", Kind.INTEGER))
            .with(11, Field.of("labels", Kind.STRING_MAP))
            .with(12, Field.of("annotations", Kind.STRING_MAP))
            .with(13, Field.messages("ownerReferences", OWNER))
            .with(14, Field.strings("finalizers"))
            .with(17, Field.of("managedFields", Kind.IGNORED));

    private static final MessageType LOCAL_REFERENCE =
            MessageType.of("LocalObjectReference").with(1, Field.of("name", Kind.STRING));

    private static final MessageType REFERENCE = MessageType.of("ObjectReference")
            .with(1, Field.of("kind", Kind.STRING))
            .with(2, Field.of("namespace", Kind.STRING))
            .with(3, Field.of("name", Kind.STRING))
            .with(4, Field.of("uid", Kind.STRING))
            .with(5, Field.of("apiVersion", Kind.STRING))
            .with(6, Field.of("resourceVersion", Kind.STRING))
            .with(7, Field.of("fieldPath", Kind.STRING));

    private static final MessageType SERVICE_PORT = MessageType.of("ServicePort")
            .with(1, Field.of("name", Kind.STRING))
            .with(2, Field.of("protocol", Kind.STRING))
            .with(3, Field.of("port", Kind.INTEGER))
            .with(4, Field.of("targetPort", Kind.INT_OR_STRING))
            .with(5, Field.of("nodePort", Kind.INTEGER))
            .with(6, Field.pointer("appProtocol", Kind.STRING));

    private static final MessageType SESSION_AFFINITY = MessageType.of("SessionAffinityConfig")
            .with(
                    1,
                    Field.message(
                            "clientIP",
                            MessageType.of("ClientIPConfig").with(1, Field.pointer("timeoutSeconds", Kind.INTEGER))));

    private static final MessageType SERVICE_SPEC = MessageType.of("ServiceSpec")
            .with(1, Field.messages("ports", SERVICE_PORT))
            .with(2, Field.of("selector", Kind.STRING_MAP))
            .with(3, Field.of("clusterIP", Kind.STRING))
            .with(4, Field.of("type", Kind.STRING))
            .with(5, Field.strings("externalIPs"))
            .with(7, Field.of("sessionAffinity", Kind.STRING))
            .with(8, Field.of("loadBalancerIP", Kind.STRING))
            .with(9, Field.strings("loadBalancerSourceRanges"))
            .with(10, Field.of("externalName", Kind.STRING))
            .with(11, Field.of("externalTrafficPolicy", Kind.STRING))
            .with(12, Field.of("healthCheckNodePort", Kind.INTEGER))
            .with(13, Field.of("publishNotReadyAddresses", Kind.BOOLEAN))
            .with(14, Field.message("sessionAffinityConfig", SESSION_AFFINITY))
            .with(17, Field.pointer("ipFamilyPolicy", Kind.STRING))
            .with(18, Field.strings("clusterIPs"))
            .with(19, Field.strings("ipFamilies"))
            .with(20, Field.pointer("allocateLoadBalancerNodePorts", Kind.BOOLEAN))
            .with(21, Field.pointer("loadBalancerClass", Kind.STRING))
            .with(22, Field.pointer("internalTrafficPolicy", Kind.STRING))
            .with(23, Field.pointer("trafficDistribution", Kind.STRING));

    private static final MessageType PRECONDITIONS = MessageType.of("Preconditions")
            .with(1, Field.pointer("uid", Kind.STRING))
            .with(2, Field.pointer("resourceVersion", Kind.STRING));

    private static final MessageType DELETE_OPTIONS = MessageType.of("DeleteOptions")
            .with(1, Field.pointer("gracePeriodSeconds", Kind.INTEGER))
            .with(2, Field.message("preconditions", PRECONDITIONS))
            .with(3, Field.pointer("orphanDependents", Kind.BOOLEAN))
            .with(4, Field.pointer("propagationPolicy", Kind.STRING))
            .with(5, Field.strings("dryRun"));

    static final Map<String, MessageType> BY_KIND = Map.of(
            "v1 Namespace",
            kind("Namespace")
                    .with(
                            2,
                            Field.message(
                                    "spec", MessageType.of("NamespaceSpec").with(1, Field.strings("finalizers"))))
                    .with(3, Field.of("status", Kind.IGNORED)),
            "v1 ConfigMap",
            kind("ConfigMap")
                    .with(2, Field.of("data", Kind.STRING_MAP))
                    .with(3, Field.of("binaryData", Kind.BYTES_MAP))
                    .with(4, Field.pointer("immutable", Kind.BOOLEAN)),
            "v1 Secret",
            kind("Secret")
                    .with(2, Field.of("data", Kind.BYTES_MAP))
                    .with(3, Field.of("type", Kind.STRING))
                    .with(4, Field.of("stringData", Kind.STRING_MAP))
                    .with(5, Field.pointer("immutable", Kind.BOOLEAN)),
            "v1 ServiceAccount",
            kind("ServiceAccount")
                    .with(2, Field.messages("secrets", REFERENCE))
                    .with(3, Field.messages("imagePullSecrets", LOCAL_REFERENCE))
                    .with(4, Field.pointer("automountServiceAccountToken", Kind.BOOLEAN)),
            "v1 Service",
            kind("Service").with(2, Field.message("spec", SERVICE_SPEC)).with(3, Field.of("status", Kind.IGNORED)),
            "policy/v1 Eviction",
            kind("Eviction").with(2, Field.message("deleteOptions", DELETE_OPTIONS)),
            "v1 DeleteOptions",
            DELETE_OPTIONS);

    private MessageTypes() {}

    private static MessageType kind(String name) {
        return MessageType.of(name).with(1, Field.message("metadata", METADATA));
    }
}
