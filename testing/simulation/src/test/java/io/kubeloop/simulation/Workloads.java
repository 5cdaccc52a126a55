/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import java.time.Duration;

/** The workloads of the operators in these tests. */
final class Workloads {

    static final Workload CREATE = cards("hello", 1);
    static final Workload CHANGE = cards("hello", 1, "bye", 1);
    static final Workload BACK_AND_FORTH = cards("hello", 1, "bye", 1, "hello", 1);
    static final Workload GROW = cards("hello", 2, "hello", 3);
    static final Workload RESIZE = cards("hello", 1, "hello", 3, "hello", 2);
    static final Workload TO_ZERO = cards("hello", 1, "hello", 0);

    static final Workload DELETE = Workload.builder()
            .apply("a card", Card.manifest("birthday", "hello", 1))
            .delete("example.com/v1", "Card", "default", "birthday")
            .build();

    static final Workload TOTAL = Workload.builder()
            .apply("a total", """
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: total-cards}
                    data: {count: "0"}
                    """)
            .apply("a card", Card.manifest("birthday", "hello", 1))
            .apply("another card", Card.manifest("wedding", "hello", 1))
            .build();

    static final Workload LIFETIME = Workload.builder()
            .apply("a card", Card.manifest("birthday", "hello", 1))
            .advance(Duration.ofMinutes(7))
            .advance(Duration.ofMinutes(7))
            .build();

    private Workloads() {}

    /** Returns the states of one card: a text and a number of copies each. */
    private static Workload cards(Object... textAndCopies) {
        Workload.Builder builder = Workload.builder();
        for (int i = 0; i < textAndCopies.length; i += 2) {
            String text = (String) textAndCopies[i];
            int copies = (Integer) textAndCopies[i + 1];
            builder.apply(text + " " + copies, Card.manifest("birthday", text, copies));
        }
        return builder.build();
    }
}
