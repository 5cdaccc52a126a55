/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** FC-01. */
class TokenBucketTest {

    private final AtomicLong now = new AtomicLong();

    @TestFactory
    Stream<DynamicTest> tokenBucket_vectors_match() {
        return Vectors.tests(getClass(), "token-bucket", vector -> {
            AtomicLong clock = new AtomicLong(-5);
            TokenBucket bucket = new TokenBucket(
                    ((BigDecimal) vector.input().get("qps")).doubleValue(),
                    ((BigDecimal) vector.input().get("burst")).intValue(),
                    clock::get);
            List<Map<String, Object>> results = new ArrayList<>();
            for (Object operation : (List<?>) vector.input().get("ops")) {
                Map<?, ?> op = (Map<?, ?>) operation;
                if (op.get("op").equals("advance")) {
                    clock.addAndGet(((BigDecimal) op.get("ms")).longValue() * 1_000_000);
                    results.add(Map.of());
                } else {
                    List<Boolean> accepted = new ArrayList<>();
                    for (int i = ((BigDecimal) op.get("times")).intValue(); i > 0; i--) {
                        accepted.add(accepts(bucket));
                    }
                    results.add(Map.of("accepted", accepted));
                }
            }
            assertThat(results).isEqualTo(vector.expected().get("results"));
        });
    }

    @Test
    void reserve_tokenMissingByABinaryFraction_isThere() {
        TokenBucket bucket = new TokenBucket(20, 25, now::get);
        assertThat(accepts(bucket)).isTrue();
        now.addAndGet(Duration.ofMillis(1).toNanos());
        for (int i = 0; i < 24; i++) {
            assertThat(accepts(bucket)).isTrue();
        }
        now.addAndGet(Duration.ofMillis(99).toNanos());
        assertThat(accepts(bucket)).isTrue();
        assertThat(accepts(bucket)).isTrue();
        assertThat(accepts(bucket)).isFalse();
    }

    @Test
    void reserve_emptyBucket_queuesCallersOneIntervalApart() {
        TokenBucket bucket = new TokenBucket(10, 1, now::get);

        assertThat(bucket.reserve(null).delay()).isZero();
        assertThat(bucket.reserve(null).delay()).isEqualTo(Duration.ofMillis(100));
        assertThat(bucket.reserve(Duration.ofSeconds(1)).delay()).isEqualTo(Duration.ofMillis(200));
        assertThat(accepts(bucket)).isFalse();
        now.addAndGet(Duration.ofMillis(300).toNanos());
        assertThat(accepts(bucket)).isTrue();
    }

    @Test
    void giveBack_theLastTurns_areThereForOthers() {
        TokenBucket bucket = new TokenBucket(10, 2, now::get);
        Deque<TokenBucket.Turn> turns = new ArrayDeque<>();
        for (int i = 0; i < 12; i++) {
            turns.push(bucket.reserve(null));
        }
        for (int i = 0; i < 10; i++) {
            bucket.giveBack(turns.pop());
        }
        TokenBucket.Turn next = bucket.reserve(null);
        assertThat(next.delay()).isEqualTo(Duration.ofMillis(100));

        now.addAndGet(Duration.ofSeconds(1).toNanos());
        bucket.giveBack(next);
        assertThat(accepts(bucket)).isTrue();
        assertThat(accepts(bucket)).isTrue();
        assertThat(accepts(bucket)).as("never more than it holds").isFalse();
    }

    @Test
    void giveBack_aTurnBeforeOthers_letsNobodyComeOnTopOfThem() {
        TokenBucket bucket = new TokenBucket(10, 1, now::get);
        bucket.reserve(null);
        TokenBucket.Turn first = bucket.reserve(null);
        TokenBucket.Turn second = bucket.reserve(null);

        bucket.giveBack(first);
        TokenBucket.Turn third = bucket.reserve(null);

        assertThat(second.delay()).isEqualTo(Duration.ofMillis(200));
        assertThat(third.delay()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void construct_rateOfZero_isRefused() {
        assertThatThrownBy(() -> new TokenBucket(0, 1, now::get)).hasMessageContaining("qps 0.0");
    }

    /** Takes a token if one is available now; returns whether it did. */
    private static boolean accepts(TokenBucket bucket) {
        return bucket.reserve(Duration.ZERO) != null;
    }
}
