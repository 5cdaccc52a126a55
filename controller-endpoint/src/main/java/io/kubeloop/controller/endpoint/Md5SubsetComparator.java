package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.controller.services.SubsetOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sorts subsets and ports as upstream does: by the MD5 digests of their Go representations. Upstream treats subsets
 * in any other order as outdated, so this order is needed to send the same requests. {@link SubsetOrder} is the
 * readable order. Stateless.
 */
final class Md5SubsetComparator {

    private record Digested<T>(byte[] digest, T element) {}

    private Md5SubsetComparator() {}

    /** Returns the subsets and their ports in upstream's order; addresses stay as they are. */
    static List<EndpointSubset> sort(List<EndpointSubset> subsets) {
        List<EndpointSubset> sorted = subsets.stream()
                .map(subset -> new EndpointSubset(
                        subset.addresses(),
                        subset.notReadyAddresses(),
                        sort(subset.ports(), Md5SubsetComparator::text),
                        UnknownFields.NONE))
                .toList();
        return sort(sorted, Md5SubsetComparator::text);
    }

    private static <T> List<T> sort(List<T> elements, Function<T, String> text) {
        return elements.stream()
                .map(element -> new Digested<>(md5(text.apply(element)), element))
                .sorted(Comparator.comparing(Digested::digest, Arrays::compareUnsigned))
                .map(Digested::element)
                .toList();
    }

    /** MD5 is only a sort key here, so its weakness does no harm. */
    private static byte[] md5(String text) {
        try {
            return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no MD5, which the platform requires", e);
        }
    }

    /** Returns Go's representation of a subset. */
    static String text(EndpointSubset subset) {
        return "(v1.EndpointSubset){Addresses:" + addresses(subset.addresses())
                + " NotReadyAddresses:" + addresses(subset.notReadyAddresses())
                + " Ports:" + list("v1.EndpointPort", subset.ports(), Md5SubsetComparator::members)
                + "}";
    }

    /** Returns Go's representation of a port. */
    static String text(EndpointPort port) {
        return "(v1.EndpointPort)" + members(port);
    }

    private static String addresses(List<EndpointAddress> addresses) {
        return list("v1.EndpointAddress", addresses, Md5SubsetComparator::members);
    }

    private static <T> String list(String type, List<T> elements, Function<T, String> members) {
        return "([]" + type + ")"
                + (elements.isEmpty()
                        ? "<nil>"
                        : elements.stream().map(members).collect(Collectors.joining(" ", "[", "]")));
    }

    private static String members(EndpointPort port) {
        return "{Name:(string)" + port.name()
                + " Port:(int32)" + port.port()
                + " Protocol:(v1.Protocol)" + port.protocol()
                + " AppProtocol:" + optional(port.appProtocol())
                + "}";
    }

    private static String members(EndpointAddress address) {
        return "{IP:(string)" + address.ip()
                + " Hostname:(string)" + address.hostname()
                + " NodeName:" + optional(address.nodeName())
                + " TargetRef:(*v1.ObjectReference)" + members(address.targetRef())
                + "}";
    }

    private static String members(@Nullable ObjectReference target) {
        return target == null
                ? "<nil>"
                : "{Kind:(string)" + target.kind()
                        + " Namespace:(string)" + target.namespace()
                        + " Name:(string)" + target.name()
                        + " UID:(types.UID)" + target.uid()
                        + " APIVersion:(string)" + target.apiVersion()
                        + " ResourceVersion:(string)" + target.resourceVersion()
                        + " FieldPath:(string)" + target.fieldPath()
                        + "}";
    }

    private static String optional(@Nullable String text) {
        return "(*string)" + (text == null ? "<nil>" : text);
    }
}
