/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import java.util.stream.IntStream;

/**
 * The rounds of a test whose outcome could depend on the order of threads, as arguments. The system property {@code
 * kubeloop.rounds} sets their number; 20 in the profile {@code stress}.
 */
final class Rounds {

    private Rounds() {}

    static IntStream all() {
        return IntStream.rangeClosed(1, Integer.getInteger("kubeloop.rounds", 4));
    }
}
