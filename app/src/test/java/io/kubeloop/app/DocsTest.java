package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The documents say what is there: links lead somewhere, and the README's example is the one that is run. */
class DocsTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)#]+)(#[^)]*)?\\)");
    private static final Pattern EXAMPLE =
            Pattern.compile("<!-- example: (\\S+) -->\\s*```java\\n(.*?)```", Pattern.DOTALL);

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
                        }
                    }
                    assertThat(broken).isEmpty();
                }));
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

    /** The formatter breaks lines at its own width; what counts is the code. A comment stands for what is left out. */
    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }
}
