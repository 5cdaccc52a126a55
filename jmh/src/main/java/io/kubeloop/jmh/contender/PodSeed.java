/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The varying parts of a pod whose other content has no influence.
 *
 * @param namespace the namespace, one of a hundred
 * @param name the name, in the form of a Deployment's pod
 * @param app the value of its label {@code app}
 */
public record PodSeed(String namespace, String name, String app) {

    private static final int NAMESPACES = 100;
    private static final int PODS_PER_APP = 20;

    /** Returns this number of seeds, always the same, in another order than that of their creation. */
    public static List<PodSeed> shuffled(int count) {
        List<PodSeed> seeds = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            seeds.add(new PodSeed(
                    "team-" + i % NAMESPACES,
                    "orders-service-" + i + "-7d9f8b6c5d-x" + i,
                    "orders-" + i / PODS_PER_APP));
        }
        Collections.shuffle(seeds, new Random(1));
        return seeds;
    }
}
