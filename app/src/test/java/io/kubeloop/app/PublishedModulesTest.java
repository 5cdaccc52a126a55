/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The POMs agree on what is published, and on what it brings along. e2e/release.sh checks the artifacts themselves. */
class PublishedModulesTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Set<String> PRIVATE = Set.of("apiserver/conformance", "jmh", "testing/test-support");
    private static final String BOM = "bom";

    private static List<Element> elements(String module, String name) throws IOException {
        try {
            NodeList found = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(HOME.resolve(module).resolve("pom.xml").toFile())
                    .getElementsByTagName(name);
            List<Element> elements = new ArrayList<>();
            for (int i = 0; i < found.getLength(); i++) {
                elements.add((Element) found.item(i));
            }
            return elements;
        } catch (Exception e) {
            throw new IOException("cannot read the POM of " + module, e);
        }
    }

    private static String child(Element parent, String name) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeName().equals(name)) {
                return node.getTextContent();
            }
        }
        return "";
    }

    private static Set<String> modules() throws IOException {
        return new TreeSet<>(ModuleFolders.names());
    }

    /** Returns the artifact of a module. */
    private static String artifact(String module) throws IOException {
        return elements(module, "project").stream()
                .map(project -> child(project, "artifactId"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void privateModules_areTheOnesThatSkipDeployment() throws IOException {
        Set<String> skipping = new TreeSet<>();
        for (String module : modules()) {
            if (elements(module, "maven.deploy.skip").stream()
                    .anyMatch(skip -> skip.getTextContent().equals("true"))) {
                skipping.add(module);
            }
        }
        assertThat(skipping).isEqualTo(new TreeSet<>(PRIVATE));
    }

    @Test
    void bom_listsEveryPublishedModule() throws IOException {
        Set<String> published = new TreeSet<>();
        for (String module : modules()) {
            if (!PRIVATE.contains(module) && !module.equals(BOM)) {
                published.add(artifact(module));
            }
        }
        assertThat(elements(BOM, "dependency"))
                .extracting(managed -> child(managed, "artifactId"))
                .containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    void publishedModules_runWithoutPrivateOnes() throws IOException {
        Set<String> hidden = new TreeSet<>();
        for (String module : PRIVATE) {
            hidden.add(artifact(module));
        }
        for (String module : modules()) {
            assertThat(elements(module, "dependency"))
                    .as(module)
                    .filteredOn(
                            dependency -> !PRIVATE.contains(module) && hidden.contains(child(dependency, "artifactId")))
                    .extracting(dependency -> child(dependency, "scope"))
                    .allMatch(scope -> scope.equals("test"));
        }
    }

    /** The parent POM adds JSpecify to every module. */
    @Test
    void apiModelWorkqueueAndCache_bringSlf4jAlone() throws IOException {
        Set<String> brought = new TreeSet<>();
        for (String module : List.of("api-model", "runtime", "workqueue", "cache")) {
            elements(module, "dependency").stream()
                    .filter(dependency -> !Set.of("test", "provided").contains(child(dependency, "scope")))
                    .map(dependency -> child(dependency, "artifactId"))
                    .forEach(brought::add);
        }
        assertThat(brought).containsExactly("kubeloop-api-model", "kubeloop-runtime", "slf4j-api");
    }

    /** A user of a library gets no parser of command lines (ADR 0031). */
    @Test
    void librariesBesideCommands_bringNoneOfTheirParts() throws IOException {
        Set<String> commands =
                Set.of("app", "command", "apiserver/command", "controllers/command", "testing/command", "testing/demo");
        Set<String> parts = new TreeSet<>(Set.of("picocli"));
        for (String module : commands) {
            parts.add(artifact(module));
        }
        for (String module : modules()) {
            if (!commands.contains(module) && !PRIVATE.contains(module) && !module.equals(BOM)) {
                assertThat(elements(module, "dependency"))
                        .as(module)
                        .filteredOn(dependency -> !child(dependency, "scope").equals("test"))
                        .extracting(dependency -> child(dependency, "artifactId"))
                        .doesNotContainAnyElementsOf(parts);
            }
        }
    }

    @Test
    void everyModule_hasANameAndADescription() throws IOException {
        for (String module : modules()) {
            String pom = Files.readString(HOME.resolve(module).resolve("pom.xml"));
            assertThat(pom).as(module).contains("<name>Kubeloop :: ", "<description>");
        }
    }
}
