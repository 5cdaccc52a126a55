/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Lists that stand on a page and in the code have the same entries. */
class ListedNamesTest {

    private static final Path HOME = ModuleFolders.HOME;
    private static final Pattern PLUGIN = Pattern.compile("(?:new Entry|Entry\\.ofSigner)\\(\\s*\"(\\w+)\"");
    private static final Pattern FOLDER = Pattern.compile("\\[[^\\]]*\\]\\(\\.\\./([a-z0-9/-]+)\\)");
    private static final Pattern PACKAGE = Pattern.compile("\\{@code\\s+(?:\\*\\s+)?([a-z.]+)\\}");
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern CODE = Pattern.compile("`([a-z0-9-]+)`");

    /** The classes of controllers whose names do not end in Controller. */
    private static final Set<String> PUBLISHERS = Set.of("RootCaPublisher", "TrustBundlePublisher");

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(result -> result.group(result.groupCount()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String line(String page, String start) throws IOException {
        return Files.readAllLines(HOME.resolve(page)).stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError(page + " has no line that starts with " + start));
    }

    @Test
    void admissionPlugins_areThoseOfTheTable() throws IOException {
        Set<String> plugins = all(
                PLUGIN,
                Files.readString(HOME.resolve("apiserver/kinds/src/main/java/io/kubeloop/apiserver/kinds/admission")
                        .resolve("StandardPlugins.java")));
        String row = line("docs/fidelity.md", "| admission |").split("\\|", -1)[2];
        assertThat(all(WORD, row)).contains("ResourceQuota").isEqualTo(plugins);
    }

    @Test
    void modules_areThoseOfTheTable() throws IOException {
        String page = Files.readString(HOME.resolve("docs/architecture.md"));
        Set<String> named = page.lines()
                .filter(line -> line.startsWith("| ["))
                .map(line -> line.split("\\|", -1)[1])
                .flatMap(cell -> all(FOLDER, cell).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).isEqualTo(new TreeSet<>(ModuleFolders.names()));
    }

    @TestFactory
    Stream<DynamicTest> controllers_areThoseOfTheirModule() throws IOException {
        return ModuleFolders.names().stream()
                .filter(module ->
                        module.matches("controllers/(?!manager|command).*|controller-endpoint|controller-replicaset"))
                .map(module -> DynamicTest.dynamicTest(module, () -> {
                    String contents =
                            line("docs/architecture.md", "| [" + module + "]").split("\\|", -1)[2];
                    Set<String> named = all(WORD, contents).stream()
                            .filter(ListedNamesTest::isController)
                            .collect(Collectors.toCollection(TreeSet::new));
                    assertThat(named).isNotEmpty().isEqualTo(controllers(HOME.resolve(module)));
                }));
    }

    private static boolean isController(String name) {
        return name.endsWith("Controller") || PUBLISHERS.contains(name);
    }

    private static Set<String> controllers(Path module) throws IOException {
        try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .filter(ListedNamesTest::isController)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** A package-info with a list of packages lists all that are directly below it. */
    @Test
    void packages_areThoseBelow() throws IOException {
        List<String> wrong = new ArrayList<>();
        int lists = 0;
        for (Path root : ModuleFolders.children("src/main/java").toList()) {
            List<Path> infos;
            try (Stream<Path> files = Files.walk(root)) {
                infos = files.filter(file -> file.endsWith("package-info.java")).toList();
            }
            for (Path info : infos) {
                String text = Files.readString(info);
                Set<String> listed = text.contains("The packages") && text.contains("<ul>")
                        ? all(PACKAGE, text.substring(text.indexOf("<ul>"), text.indexOf("</ul>")))
                        : Set.of();
                if (!listed.isEmpty()) {
                    lists++;
                    Set<String> below = below(info.getParent());
                    if (!listed.equals(below)) {
                        wrong.add(HOME.relativize(info) + " lists " + listed + ", but below are " + below);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(lists).isGreaterThanOrEqualTo(2);
    }

    private static Set<String> below(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(Files::isDirectory)
                    .map(child -> child.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The README of a group names the folders of its modules, and no other. */
    @TestFactory
    Stream<DynamicTest> groups_nameTheirModules() throws IOException {
        return ModuleFolders.names().stream()
                .filter(name -> name.contains("/"))
                .map(name -> name.substring(0, name.indexOf('/')))
                .distinct()
                .filter(group -> !group.equals("controllers")) // one module per API group of Kubernetes
                .map(group -> DynamicTest.dynamicTest(group, () -> {
                    Set<String> modules = ModuleFolders.names().stream()
                            .filter(name -> name.startsWith(group + "/"))
                            .map(name -> name.substring(group.length() + 1))
                            .collect(Collectors.toCollection(TreeSet::new));
                    Set<String> named = all(CODE, Files.readString(HOME.resolve(group + "/README.md")));
                    assertThat(named).containsAll(modules);
                    assertThat(named.stream().filter(name -> !modules.contains(name)))
                            .as("a command and a package are no modules")
                            .isSubsetOf("simulate", "registry");
                }));
    }

    /** A newcomer reads these files in an evening. */
    @Test
    void filesOfTheTour_haveTheirNumberOfLines() throws IOException {
        Path tour = HOME.resolve("docs/tour.md");
        String text = Files.readString(tour);
        int bound = Integer.parseInt(Pattern.compile("fewer than ([0-9,]+) lines")
                .matcher(text)
                .results()
                .map(result -> result.group(1).replace(",", ""))
                .findFirst()
                .orElseThrow());
        Set<Path> files = new TreeSet<>();
        Pattern source = Pattern.compile("\\]\\((\\.\\./[^)]*\\.java)\\)");
        for (String paragraph : text.split("\n\n", -1)) {
            if (paragraph.startsWith("**Read:**")) {
                source.matcher(paragraph)
                        .results()
                        .map(MatchResult::group)
                        .forEach(link -> files.add(tour.resolveSibling(link.substring(2, link.length() - 1))
                                .normalize()));
            }
        }
        int lines = 0;
        for (Path file : files) {
            lines += Files.readAllLines(file).size();
        }
        assertThat(files).hasSizeGreaterThan(6);
        assertThat(lines).isLessThan(bound).isGreaterThan(bound - 400);
        assertThat(Arrays.asList(text, Files.readString(HOME.resolve("docs/zh/tour.md"))))
                .allMatch(page -> page.contains(String.format("%,d", bound)));
    }
}
