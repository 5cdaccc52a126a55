/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import static io.kubeloop.controller.job.JobVectors.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.batch.SuccessPolicy;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares index lists, delays, names and success rules with those of Kubernetes' own functions. */
class JobVectorsTest {

    @FunctionalInterface
    private interface Check {
        void of(JsonObject vector);
    }

    private static Stream<DynamicTest> all(String kind, Check check) throws IOException {
        List<JsonObject> vectors = JobVectors.of(kind);
        assertThat(vectors).hasSizeGreaterThanOrEqualTo(30);
        return vectors.stream().map(vector -> DynamicTest.dynamicTest(vector.toString(), () -> check.of(vector)));
    }

    @TestFactory
    Stream<DynamicTest> indexes_areListedAsUpstreamListsThem() throws IOException {
        return all("intervals", vector -> {
            int completions = (int) number(vector, "completions");
            IndexIntervals parsed = IndexIntervals.parse(vector.string("text"), completions);
            List<Integer> added = vector.array("added").elements().stream()
                    .map(value -> Integer.valueOf(value.toString()))
                    .toList();
            assertThat(parsed.with(added)).hasToString(vector.string("result"));
            assertThat(parsed.with(added).total()).isEqualTo((int) number(vector, "total"));
            assertThat(parsed.contains((int) number(vector, "index"))).isEqualTo(vector.bool("has"));
        });
    }

    @TestFactory
    Stream<DynamicTest> delays_areThoseOfUpstream() throws IOException {
        return all("backoffs", vector -> {
            Instant now = Instant.ofEpochSecond(1_700_000_000L);
            PodBackoff.Failures failures =
                    new PodBackoff.Failures((int) number(vector, "failures"), now.minusSeconds(number(vector, "ago")));
            assertThat(failures.remaining(now)).hasSeconds(number(vector, "left"));
        });
    }

    @TestFactory
    Stream<DynamicTest> names_areThoseOfUpstream() throws IOException {
        return all(
                "names",
                vector -> assertThat(JobPodTemplates.prefix(vector.string("job"), (int) number(vector, "index")))
                        .isEqualTo(vector.string("prefix")));
    }

    @TestFactory
    Stream<DynamicTest> successRules_areMetAsUpstreamMeetsThem() throws IOException {
        return all("successes", vector -> {
            int completions = (int) number(vector, "completions");
            List<SuccessPolicy.SucceededRule> rules = vector.array("rules")
                    .objects()
                    .map(rule -> new SuccessPolicy.SucceededRule(
                            rule.has("succeededIndexes") ? rule.string("succeededIndexes") : null,
                            rule.has("succeededCount") ? (int) number(rule, "succeededCount") : null,
                            UnknownFields.NONE))
                    .toList();
            String met = SuccessRuleMatcher.firstMet(
                    new SuccessPolicy(rules, UnknownFields.NONE),
                    completions,
                    IndexIntervals.parse(vector.string("succeeded"), completions));
            assertThat(met == null ? "" : met).isEqualTo(vector.string("message"));
        });
    }
}
