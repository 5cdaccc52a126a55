/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.fake;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for the effects of other threads, with short polling. */
public final class Patience {

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(20));
    }
}
