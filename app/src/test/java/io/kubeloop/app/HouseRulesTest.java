/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sizes and names that keep the sources browsable: small packages, short files, no simple name twice. */
class HouseRulesTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final int MOST_FILES = 36;
    private static final int MOST_LINES = 500;
    private static final int MOST_LINES_OF_A_MEDIAN = 120;
    private static final int MOST_COLUMNS = 120;
    private static final Pattern FLAG_IN_A_TEXT = Pattern.compile("\"([^\"]*[ (\"])?--[a-z][a-z-]{2,}");
    private static final Pattern PROGRAMS =
            Pattern.compile("^(app|command|jmh)/|/command/|^controllers/manager/|^testing/demo/");
    private static final Set<String> IN_EVERY_PACKAGE = Set.of("package-info.java", "module-info.java");

    /** Returns the sources of all modules; the kind is main or test. */
    static List<Path> sources(String kind) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path root : ModuleFolders.children("src/" + kind + "/java").toList()) {
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file ->
                                !IN_EVERY_PACKAGE.contains(file.getFileName().toString()))
                        .forEach(sources::add);
            }
        }
        return sources;
    }

    @Test
    void packages_haveAboutThirtyFilesAtMost() throws IOException {
        Map<Path, Long> sizes = sources("main").stream()
                .collect(Collectors.groupingBy(
                        file -> HOME.relativize(file.getParent()), TreeMap::new, Collectors.counting()));
        sizes.values().removeIf(size -> size <= MOST_FILES);
        assertThat(sizes).isEmpty();
    }

    /** A library has no command line: its messages name files, variables and settings. */
    @Test
    void messages_ofLibraries_nameNoFlag() throws IOException {
        Map<Path, String> found = new TreeMap<>();
        for (Path file : sources("main")) {
            Path relative = HOME.relativize(file);
            boolean isProgram = PROGRAMS.matcher(relative.toString()).find();
            for (String line : isProgram ? List.<String>of() : Files.readAllLines(file)) {
                if (FLAG_IN_A_TEXT.matcher(line).find()) {
                    found.put(relative, line.strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void simpleNames_areUnique() throws IOException {
        Map<String, List<Path>> byName = Stream.concat(sources("main").stream(), sources("test").stream())
                .collect(Collectors.groupingBy(
                        file -> file.getFileName().toString(),
                        TreeMap::new,
                        Collectors.mapping(HOME::relativize, Collectors.toList())));
        byName.values().removeIf(files -> files.size() == 1);
        assertThat(byName).isEmpty();
    }

    @Test
    void files_areShort() throws IOException {
        Map<Path, Integer> lengths = new TreeMap<>();
        for (Path file : sources("main")) {
            lengths.put(HOME.relativize(file), Files.readAllLines(file).size());
        }
        List<Integer> sorted = lengths.values().stream().sorted().toList();
        assertThat(sorted.get(sorted.size() / 2)).isLessThanOrEqualTo(MOST_LINES_OF_A_MEDIAN);
        lengths.values().removeIf(length -> length <= MOST_LINES);
        for (Path longOne : lengths.keySet()) {
            assertThat(HOME.resolve(longOne)).content().contains("This class is long because");
        }
    }

    /**
     * The JDK splits at one literal character without a regular expression (ADR 0029); {@code ArchitectureTest} has the
     * rest.
     */
    @Test
    void server_splitsAtOneCharacter() throws IOException {
        Pattern split =
                Pattern.compile("\\.split\\((?!\"(?:[^\\\\\"^$.|?*+()\\[{]|\\\\\\\\[^A-Za-z0-9]|\\\\n)\"[,)])[^\\n]*");
        Map<Path, String> found = new TreeMap<>();
        for (Path file : sources("main")) {
            if (HOME.relativize(file).startsWith("apiserver")) {
                split.matcher(Files.readString(file))
                        .results()
                        .findFirst()
                        .ifPresent(call -> found.put(HOME.relativize(file), call.group()));
            }
        }
        assertThat(found).isEmpty();
    }

    /** A handler costs a thread and a backlog. A loop that only reads a cache waits for its informer. */
    @Test
    void handlers_doSomething() throws IOException {
        Pattern idle = Pattern.compile(
                "new ResourceEventHandler<[^>]*>\\(\\) \\{\\s*\\}" + "|forKeys\\((?:\\w+, )?\\w+ -> \\{\\s*\\}");
        Map<Path, String> found = new TreeMap<>();
        for (Path file : sources("main")) {
            idle.matcher(Files.readString(file))
                    .results()
                    .findFirst()
                    .ifPresent(handler -> found.put(HOME.relativize(file), handler.group()));
        }
        assertThat(found).isEmpty();
    }

    /** The formatter wraps code, but neither texts nor comments. */
    @Test
    void lines_fitInto120Columns() throws IOException {
        List<Path> files = new ArrayList<>(sources("main"));
        files.addAll(sources("test"));
        for (String folder : List.of("docs/tools", "e2e")) {
            try (Stream<Path> programs = Files.walk(HOME.resolve(folder))) {
                programs.filter(file -> file.toString().endsWith(".java")
                                && !file.toString().contains("/target/"))
                        .forEach(files::add);
            }
        }
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).length() > MOST_COLUMNS) {
                    found.add(HOME.relativize(file) + ":" + (i + 1));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** A tag can be moved to other code, which would run with the rights of the build. */
    @Test
    void actionsOfTheBuild_arePinnedByDigest() throws IOException {
        try (Stream<String> lines = Files.lines(HOME.resolve(".github/workflows/ci.yml"))) {
            assertThat(lines.filter(line -> line.contains("uses: ")))
                    .isNotEmpty()
                    .allMatch(line -> line.matches(".*uses: [\\w/-]+@[0-9a-f]{40} # v[0-9.]+"));
        }
    }

    @Test
    void everyFile_beginsWithItsLicense() throws IOException {
        List<Path> without = new ArrayList<>();
        for (Path folder : Stream.concat(
                        ModuleFolders.children("src/main/java"), ModuleFolders.children("src/test/java"))
                .toList()) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(file -> file.toString().endsWith(".java")).toList()) {
                    if (!Files.readString(file).startsWith("/* SPDX-License-Identifier: Apache-2.0 */\n")) {
                        without.add(HOME.relativize(file));
                    }
                }
            }
        }
        assertThat(without).isEmpty();
    }

    /** Comments of the code explain a rule in words; the IDs of docs/rules.md belong to tests. */
    @Test
    void ruleIds_areCitedByTestsOnly() throws IOException {
        Set<String> prefixes = Files.readAllLines(HOME.resolve("docs/rules.tsv")).stream()
                .skip(1)
                .map(row -> row.replaceFirst("[^\t]*\t([A-Z]+)-.*", "$1"))
                .collect(Collectors.toSet());
        Pattern id = Pattern.compile("(?<![A-Za-z0-9-])(" + String.join("|", prefixes) + ")-\\d\\d(?![\\d-])");
        Map<Path, String> citing = new TreeMap<>();
        for (Path file : sources("main")) {
            id.matcher(Files.readString(file))
                    .results()
                    .findFirst()
                    .ifPresent(found -> citing.put(HOME.relativize(file), found.group()));
        }
        assertThat(citing).isEmpty();
    }
}
