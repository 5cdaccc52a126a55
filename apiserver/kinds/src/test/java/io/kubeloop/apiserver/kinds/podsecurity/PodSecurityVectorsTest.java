/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.kinds.podsecurity.PodSecurityLevel.Level;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares with the checks of Kubernetes 1.37.2, which {@code e2e/record-pod-security.sh} runs on the same pods. */
class PodSecurityVectorsTest {

    private static final int NEWEST = 37;

    @TestFactory
    Stream<DynamicTest> violations_areThoseOfUpstream() throws IOException {
        try (InputStream in = getClass().getResourceAsStream("/vectors/pod-security.json")) {
            JsonObject file = JsonObject.parse(Objects.requireNonNull(in).readAllBytes());
            return file.array("cases")
                    .objects()
                    .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> {
                        for (Level level : new Level[] {Level.BASELINE, Level.RESTRICTED}) {
                            check(vector, level);
                        }
                    }));
        }
    }

    private static void check(JsonObject vector, Level level) {
        CheckedPod pod = CheckedPod.of(vector.object("input"));
        String expected = "";
        for (int version = 0; version <= NEWEST; version++) {
            long now = version;
            expected = vector.array("expected", "findings")
                    .objects()
                    .filter(finding ->
                            finding.string("level").equals(level.toString().toLowerCase(Locale.ROOT))
                                    && Objects.equals(finding.number("since"), now))
                    .map(finding -> finding.string("text"))
                    .findFirst()
                    .orElse(expected);
            assertThat(PodSecurityChecks.violations(new PodSecurityLevel(level, version), pod).stream()
                            .map(Object::toString)
                            .collect(Collectors.joining(", ")))
                    .as("%s v1.%d", level, version)
                    .isEqualTo(expected);
        }
    }
}
