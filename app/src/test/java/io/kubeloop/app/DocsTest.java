/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.demo.live.LivePage;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The documents say what is there: links lead somewhere, examples are the code that is run, flags and metrics have
 * their place.
 */
class DocsTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)#]+)(#[^)]*)?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern EXAMPLE =
            Pattern.compile("<!-- example: (\\S+) -->\\s*```java\\n(.*?)```", Pattern.DOTALL);

    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*[a-z]|(?<![\\w-])--v(?![a-z])");
    private static final Pattern METRIC =
            Pattern.compile("\"(informer|reflector|workqueue|rest_client|leader_election)_[a-z_]+\"");

    private static final Set<String> PRIVATE_MODULES = Set.of("app", "jmh", "test-support");
    private static final Pattern EXPORT = Pattern.compile("exports ([a-z.]+);");
    private static final Pattern PACKAGE = Pattern.compile("`(io\\.kubeloop[a-z.]*)`");

    private static List<Path> documents() throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> top = Files.list(HOME)) {
            top.filter(p -> p.toString().endsWith(".md")).forEach(found::add);
        }
        try (Stream<Path> docs = Files.walk(HOME.resolve("docs"))) {
            docs.filter(p -> p.toString().endsWith(".md")).forEach(found::add);
        }
        return found;
    }

    @TestFactory
    Stream<DynamicTest> links_leadSomewhere() throws IOException {
        return documents().stream()
                .map(doc -> DynamicTest.dynamicTest(HOME.relativize(doc).toString(), () -> {
                    Matcher link = LINK.matcher(Files.readString(doc));
                    List<String> broken = new ArrayList<>();
                    while (link.find()) {
                        String target = link.group(1).trim();
                        boolean elsewhere = target.startsWith("http://") || target.startsWith("https://");
                        if (!elsewhere && !Files.exists(doc.resolveSibling(target))) {
                            broken.add(target);
                        } else if (link.group(2) != null
                                && target.endsWith(".md")
                                && !elsewhere
                                && !anchors(doc.resolveSibling(target)).contains(link.group(2))) {
                            broken.add(target + link.group(2));
                        }
                    }
                    assertThat(broken).isEmpty();
                }));
    }

    /** The anchors of the headings of a page, as GitHub forms them. */
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading ->
                        heading.group(1).replaceAll("\\]\\([^)]*\\)", "").toLowerCase(Locale.ROOT))
                .map(heading ->
                        "#" + heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** A reader who starts at the table of contents reaches each page. */
    @Test
    void pages_allAreReached() throws IOException {
        Path contents = HOME.resolve("docs/README.md");
        Set<Path> reached = new TreeSet<>(Set.of(contents));
        Deque<Path> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            Path page = open.remove();
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(link -> page.resolveSibling(link.group(1)).normalize())
                    .filter(target -> target.toString().endsWith(".md") && Files.exists(target))
                    .filter(reached::add)
                    .forEach(open::add);
        }
        assertThat(documents().stream().filter(page -> page.startsWith(contents.getParent())))
                .isSubsetOf(reached);
    }

    @Test
    void examples_areTheCodeThatIsRun() throws IOException {
        int examples = 0;
        for (Path doc : documents()) {
            Matcher example = EXAMPLE.matcher(Files.readString(doc));
            while (example.find()) {
                examples++;
                String source = Files.readString(HOME.resolve(example.group(1)));
                List<String> pieces = Arrays.stream(example.group(2).split("(?m)^\\s*//.*$"))
                        .map(DocsTest::withoutSpace)
                        .toList();
                assertThat(withoutSpace(source))
                        .as("%s shows what %s runs", doc.getFileName(), example.group(1))
                        .containsSubsequence(pieces);
            }
        }
        assertThat(examples).isPositive();
    }

    @Test
    void commandLine_everyFlagIsDescribed_andNoOther() throws IOException {
        StringWriter help = new StringWriter();
        for (String command :
                List.of("demo", "apiserver", "controller-manager", "kubelet", "kubeconfig", "simulate", "version")) {
            Main.run(
                    ShutdownSignal.inert(),
                    new PrintWriter(help, true),
                    new PrintWriter(help, true),
                    command,
                    "--help");
        }
        String page = Files.readString(HOME.resolve("docs/command-line.md"));
        assertThat(flags(page)).contains("--port").isEqualTo(flags(help.toString()));
    }

    private static Set<String> flags(String text) {
        return FLAG.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void publicPackages_allAreNamed_andNoOther() throws IOException {
        Set<String> exported = new TreeSet<>();
        for (Path module : ModuleFolders.all()) {
            Path info = module.resolve("src/main/java/module-info.java");
            if (Files.exists(info)
                    && !PRIVATE_MODULES.contains(module.getFileName().toString())) {
                EXPORT.matcher(Files.readString(info)).results().forEach(found -> exported.add(found.group(1)));
            }
        }
        String table = Files.readString(HOME.resolve("docs/compatibility.md"))
                .lines()
                .filter(line -> line.startsWith("| `kubeloop-"))
                .collect(Collectors.joining("\n"));
        Set<String> named = PACKAGE.matcher(table)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).contains("io.kubeloop.cache").isEqualTo(exported);
    }

    @Test
    void livePage_itsPagesOfTheBookAreInTheProgram() {
        for (String table : List.of(LivePage.FAULTS, LivePage.LESSONS)) {
            assertThat(LivePage.table(table).elements())
                    .extracting(entry -> ((JsonObject) entry).string("docs", "file"))
                    .contains("controllers/replicaset.md")
                    .allMatch(file -> LivePage.class.getResource("docs/" + file) != null);
        }
    }

    @Test
    void decisions_allAreInTheIndex() throws IOException {
        Path adr = HOME.resolve("docs/adr");
        String index = Files.readString(adr.resolve("README.md"));
        try (Stream<Path> records = Files.list(adr)) {
            assertThat(records.map(record -> record.getFileName().toString()).filter(name -> !name.equals("README.md")))
                    .allMatch(name -> index.contains("(" + name + ")"));
        }
    }

    @Test
    void metrics_allAreOnAPage() throws IOException {
        StringBuilder pages = new StringBuilder();
        for (Path document : documents()) {
            pages.append(Files.readString(document));
        }
        try (Stream<Path> sources = Files.walk(HOME.resolve("controllers/command/src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                for (String name : METRIC.matcher(Files.readString(source))
                        .results()
                        .map(MatchResult::group)
                        .toList()) {
                    assertThat(pages).contains("`" + name.substring(1, name.length() - 1) + "`");
                }
            }
        }
    }

    /** The formatter breaks lines at its own width; what counts is the code. A comment stands for what is left out. */
    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }
}
