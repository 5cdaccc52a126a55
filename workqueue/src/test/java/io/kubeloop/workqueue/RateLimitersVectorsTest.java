/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The rate limiters against what upstream does: rate-limiters (RL-01 to RL-04, RL-06). */
class RateLimitersVectorsTest {

    /** What floating point may cost a token bucket. */
    private static final long TOLERANCE_NANOS = 1_000;

    @TestFactory
    Stream<DynamicTest> rateLimiters() {
        return Vectors.tests(getClass(), "rate-limiters", RateLimitersVectorsTest::check);
    }

    @SuppressWarnings("unchecked")
    private static void check(Vectors.Case vector) {
        ManualScheduler clock = new ManualScheduler();
        RateLimiter<String> limiter = RateLimiterSpecs.parse(vector.input().get("rateLimiter"), clock);
        List<Map<String, Object>> ops =
                (List<Map<String, Object>>) vector.input().get("ops");
        List<Map<String, Object>> results =
                (List<Map<String, Object>>) vector.expected().get("results");
        assertThat(results).hasSameSizeAs(ops);
        for (int i = 0; i < ops.size(); i++) {
            check(limiter, clock, ops.get(i), results.get(i));
        }
    }

    @SuppressWarnings("unchecked")
    private static void check(
            RateLimiter<String> limiter, ManualScheduler clock, Map<String, Object> op, Map<String, Object> expected) {
        String item = (String) op.get("item");
        switch ((String) op.get("op")) {
            case "when" -> {
                List<BigDecimal> delays = (List<BigDecimal>) expected.get("delaysNanos");
                assertThat(delays).hasSize(((BigDecimal) op.get("times")).intValueExact());
                for (BigDecimal delay : delays) {
                    assertThat(limiter.when(item).toNanos()).isCloseTo(delay.longValueExact(), within(TOLERANCE_NANOS));
                }
            }
            case "forget" -> limiter.forget(item);
            case "numRequeues" ->
                assertThat(limiter.numRequeues(item))
                        .isEqualTo(((BigDecimal) expected.get("numRequeues")).intValueExact());
            case "advance" -> clock.advance(Duration.ofMillis(((BigDecimal) op.get("ms")).longValueExact()));
            default -> throw new IllegalArgumentException("unknown operation: " + op);
        }
    }
}
