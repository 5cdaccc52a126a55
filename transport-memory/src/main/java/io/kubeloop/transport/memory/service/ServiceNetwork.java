package io.kubeloop.transport.memory.service;

import java.util.List;

/** The ranges that services get their addresses from: one, or two of different families. Immutable. */
public final class ServiceNetwork {

    /** What a server has unless it is told otherwise. */
    public static final ServiceNetwork DEFAULT = of(List.of("10.96.0.0/16"));

    private final List<ServiceRange> ranges;

    private ServiceNetwork(List<ServiceRange> ranges) {
        this.ranges = ranges;
    }

    /**
     * Reads ranges. Services are of the first one's family unless they ask for the other.
     *
     * @throws IllegalArgumentException saying what is wrong with them
     */
    public static ServiceNetwork of(List<String> texts) {
        if (texts.isEmpty() || texts.size() > 2) {
            throw new IllegalArgumentException(
                    "one range is needed, or two of different families, got " + texts.size());
        }
        List<ServiceRange> ranges = texts.stream().map(ServiceRange::parse).toList();
        if (ranges.stream().map(ServiceRange::family).distinct().count() < ranges.size()) {
            throw new IllegalArgumentException(
                    String.join(" and ", texts) + " must be of different families, but are both "
                            + ranges.get(0).family());
        }
        return new ServiceNetwork(ranges);
    }

    List<ServiceRange> ranges() {
        return ranges;
    }
}
