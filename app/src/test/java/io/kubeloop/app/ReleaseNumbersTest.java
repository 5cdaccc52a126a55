/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Scripts name no release of Kubernetes: a number that is right today is below the minimum of a later release. Pages
 * name no patch release but the adopted one. {@code e2e/kubernetes-release}, which {@code adopt.sh} writes, has the
 * number; {@code release_before} those before it.
 */
class ReleaseNumbersTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();

    /** A release since 1.20, as a word of its own; versions of other programs have three parts and are not matched. */
    private static final Pattern RELEASE = Pattern.compile("(?<![\\d.:]|go )v?1\\.[23]\\d(?:\\.\\d+)?(?![\\d.])");

    /** The files that name other releases, and why. */
    private static final Map<String, String> REASONS = Map.of(
            "e2e/adopt.sh", "the example of its usage",
            "e2e/compatibility.sh", "the servers of other releases on which the manager runs",
            "e2e/record-schema.sh", "the oldest release whose fields are recorded",
            "e2e/image.sh", "the release of the kubeadm that wrote a manifest",
            "e2e/manager.sh", "a comment on a measurement",
            "e2e/harness/conversation_objects.py", "a field of an object",
            "e2e/harness/apply_conversation.py", "names of clients",
            "e2e/harness/manager_flags.py", "odd values of flags");

    private static List<String> numbers(Path script) throws IOException {
        List<String> found = new ArrayList<>();
        Matcher numbers = RELEASE.matcher(Files.readString(script));
        while (numbers.find()) {
            found.add(HOME.relativize(script) + ": " + numbers.group());
        }
        return found;
    }

    @Test
    void scripts_nameNoRelease() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> scripts = Files.walk(HOME.resolve("e2e"))) {
            for (Path script : scripts.filter(each -> each.toString().matches(".*\\.(sh|py)"))
                    .filter(each -> !REASONS.containsKey(HOME.relativize(each).toString()))
                    .toList()) {
                found.addAll(numbers(script));
            }
        }
        found.addAll(numbers(HOME.resolve(".ci/run")));
        assertThat(found).isEmpty();
    }

    /** The release of the oldest recordings of answers. */
    private static final String OLDEST = "1.20.2";

    /** A page states the adopted release or none; compatibility.md is about others. */
    @Test
    void pages_nameTheAdoptedRelease() throws IOException {
        String adopted =
                Files.readString(HOME.resolve("e2e/kubernetes-release")).strip();
        List<String> found = new ArrayList<>();
        try (Stream<Path> pages = Files.walk(HOME.resolve("docs"))) {
            for (Path page : pages.filter(each -> each.toString().endsWith(".md") && !each.endsWith("compatibility.md"))
                    .toList()) {
                numbers(page).stream()
                        .filter(number -> number.matches(".*1\\.\\d+\\.\\d+")
                                && !number.endsWith(adopted)
                                && !number.endsWith(OLDEST))
                        .forEach(found::add);
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void exceptions_areNeeded() throws IOException {
        for (String file : REASONS.keySet()) {
            assertThat(numbers(HOME.resolve(file))).as(file).isNotEmpty();
        }
    }
}
