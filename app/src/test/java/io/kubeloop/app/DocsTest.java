package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.app.cli.ShutdownSignal;
import io.kubeloop.app.live.LivePage;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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

/** The documents say what is there: links lead somewhere, examples are the code that is run, flags and metrics have their place. */
class DocsTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)#]+)(#[^)]*)?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern CHAPTER = Pattern.compile("\\]\\(((?:controllers/)?[a-z0-9-]+\\.md)\\)");
    private static final Pattern PICTURE =
            Pattern.compile("^!\\[[^\\]]+\\]\\(((?:\\.\\./)?images/scene-[a-z-]+\\.webp)\\)$");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!---)([^|]+) \\|");
    private static final Pattern LIMIT = Pattern.compile("fewer than ([0-9,]+) lines");
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

    /** The chapters in the order of the table of contents; each ends with links to its neighbors. */
    @Test
    void chapters_linkToTheirNeighbors() throws IOException {
        Path docs = HOME.resolve("docs");
        List<String> chapters = CHAPTER.matcher(Files.readString(docs.resolve("README.md")))
                .results()
                .map(link -> link.group(1))
                .toList();
        assertThat(chapters).doesNotHaveDuplicates();
        List<String> pages = new ArrayList<>();
        for (Path directory : List.of(docs, docs.resolve("controllers"))) {
            try (Stream<Path> files = Files.list(directory)) {
                files.map(file -> docs.relativize(file).toString()).forEach(pages::add);
            }
        }
        assertThat(pages.stream().filter(page -> page.endsWith(".md") && !page.equals("README.md")))
                .containsExactlyInAnyOrderElementsOf(chapters);
        for (int i = 0; i < chapters.size(); i++) {
            List<String> links = new ArrayList<>();
            Path chapter = docs.resolve(chapters.get(i));
            if (i > 0) {
                links.add("Previous: " + link(chapter, docs.resolve(chapters.get(i - 1))));
            }
            links.add((i > 0 ? "[contents](" : "[Contents](") + relative(chapter, docs.resolve("README.md")) + ")");
            if (i + 1 < chapters.size()) {
                links.add("next: " + link(chapter, docs.resolve(chapters.get(i + 1))));
            }
            assertThat(Files.readString(chapter))
                    .as(chapters.get(i))
                    .endsWith("\n---\n\n" + String.join(" · ", links) + "\n");
        }
    }

    /** A link from a page to another one, by its title. */
    private static String link(Path from, Path page) throws IOException {
        Matcher title = HEADING.matcher(Files.readString(page));
        assertThat(title.find()).as("%s has a title", page).isTrue();
        return "[" + title.group(1) + "](" + relative(from, page) + ")";
    }

    private static String relative(Path from, Path page) {
        return from.resolveSibling("").relativize(page).toString();
    }

    /** A chapter that a lesson or a fault of the live page links to begins with a picture of a scene. */
    @Test
    void chaptersWithAScene_openWithItsPicture() throws IOException {
        Path docs = HOME.resolve("docs");
        Set<String> chapters = new TreeSet<>();
        for (String file : List.of(LivePage.LESSONS, LivePage.FAULTS)) {
            LivePage.table(file).elements().forEach(entry -> chapters.add(((JsonObject) entry).string("docs", "file")));
        }
        assertThat(chapters).contains("tour.md", "informers.md");
        for (String chapter : chapters) {
            String opening = Files.readAllLines(docs.resolve(chapter)).get(2);
            Matcher picture = PICTURE.matcher(opening);
            assertThat(picture.find())
                    .as("%s begins with a picture: %s", chapter, opening)
                    .isTrue();
            assertThat(docs.resolve(chapter).resolveSibling(picture.group(1))).exists();
        }
    }

    @Test
    void glossary_chineseEdition_hasTheSameTerms() throws IOException {
        assertThat(terms("docs/zh/glossary.md")).hasSizeGreaterThan(40).isEqualTo(terms("docs/glossary.md"));
    }

    /** The first cells of the rows of the tables, without the heads. */
    private static List<String> terms(String page) throws IOException {
        return ROW.matcher(Files.readString(HOME.resolve(page)))
                .results()
                .map(row -> row.group(1))
                .filter(term -> !term.equals("term") && !term.equals("英文"))
                .toList();
    }

    /** The links in the lines of the tour that begin with {@code **Read:**}. */
    @Test
    void tour_codeToRead_hasFewerLinesThanTheTourStates() throws IOException {
        Path tour = HOME.resolve("docs/tour.md");
        String text = Files.readString(tour);
        Matcher limit = LIMIT.matcher(text);
        assertThat(limit.find()).as("the tour states how many lines there are").isTrue();
        long most = Long.parseLong(limit.group(1).replace(",", ""));
        String read = Arrays.stream(text.split("\n\n"))
                .filter(paragraph -> paragraph.startsWith("**Read:**"))
                .collect(Collectors.joining("\n"));
        long lines = 0;
        for (MatchResult link : LINK.matcher(read).results().toList()) {
            lines += Files.readAllLines(tour.resolveSibling(link.group(1))).size();
        }
        assertThat(lines).isBetween(1_000L, most - 1);
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
        for (String command : List.of("demo", "apiserver", "controller-manager", "kubelet", "version")) {
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
        try (Stream<Path> sources = Files.walk(HOME.resolve("app/src/main/java/io/kubeloop/app"))) {
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
