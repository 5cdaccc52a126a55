/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks a directory that {@code mvn -Prelease deploy} has filled, as the validator of Maven Central does: {@code java
 * CheckRelease.java REPOSITORY VERSION}. It prints a line per artifact, and the faults of an artifact below it. The
 * exit code is 1 if there is a fault.
 */
public final class CheckRelease {

    private static final String GROUP = "io.kubeloop";
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");
    private static final Set<String> REQUIRED = Set.of(
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "developers/developer/organization",
            "scm/connection",
            "scm/developerConnection",
            "scm/url");
    private static final List<String> CHECKSUMS = List.of("MD5", "SHA-1");

    private final Path repository;
    private final String version;
    private final Map<String, Element> poms = new TreeMap<>();

    private CheckRelease(Path repository, String version) {
        this.repository = repository;
        this.version = version;
    }

    public static void main(String... args) throws Exception {
        System.exit(new CheckRelease(Path.of(args[0]), args[1]).check() ? 0 : 1);
    }

    private Path directory(String artifact) {
        return repository.resolve(GROUP.replace('.', '/')).resolve(artifact).resolve(version);
    }

    private boolean check() throws Exception {
        try (Stream<Path> artifacts = Files.list(repository.resolve(GROUP.replace('.', '/')))) {
            for (Path artifact : artifacts.sorted().toList()) {
                String name = artifact.getFileName().toString();
                Path pom = directory(name).resolve(name + "-" + version + ".pom");
                if (!Files.exists(pom)) {
                    throw new IOException(name + " has no version " + version);
                }
                DocumentBuilderFactory documents = DocumentBuilderFactory.newInstance();
                poms.put(
                        name, documents.newDocumentBuilder().parse(pom.toFile()).getDocumentElement());
            }
        }
        boolean good = !poms.isEmpty();
        for (String artifact : poms.keySet()) {
            List<String> faults = new ArrayList<>();
            checkPom(artifact, faults);
            int files = checkFiles(artifact, faults);
            System.out.printf("%-5s %s: %d files%n", faults.isEmpty() ? "ok" : "FAIL", artifact, files);
            faults.forEach(fault -> System.out.println("      " + fault));
            good &= faults.isEmpty();
        }
        List<String> faults = new ArrayList<>();
        checkBom(faults);
        System.out.printf("%-5s the BOM lists each published jar%n", faults.isEmpty() ? "ok" : "FAIL");
        faults.forEach(fault -> System.out.println("      " + fault));
        return good & faults.isEmpty();
    }

    // --- POMs

    private void checkPom(String artifact, List<String> faults) {
        Element pom = poms.get(artifact);
        Map<String, String> properties = properties(artifact);
        for (String path : REQUIRED) {
            if (inherited(artifact, path).isBlank()) {
                faults.add("the POM has no " + path);
            }
        }
        if (!inherited(artifact, "version").equals(version)
                && !text(pom, "parent/version").equals(version)) {
            faults.add("the POM is not of version " + version);
        }
        for (String repositories : List.of("repositories", "pluginRepositories")) {
            if (child(pom, repositories) != null) {
                faults.add("the POM names " + repositories);
            }
        }
        for (Element dependency : children(child(pom, "dependencies"))) {
            checkDependency(artifact, dependency, properties, faults);
        }
        for (Element managed : children(child(child(pom, "dependencyManagement"), "dependencies"))) {
            String managedVersion = resolve(text(managed, "version"), properties);
            if (managedVersion.isEmpty() || managedVersion.contains("SNAPSHOT") || managedVersion.contains("${")) {
                faults.add("managed " + text(managed, "artifactId") + " has the version '" + managedVersion + "'");
            }
        }
    }

    private void checkDependency(
            String artifact, Element dependency, Map<String, String> properties, List<String> faults) {
        String group = resolve(text(dependency, "groupId"), properties);
        String name = text(dependency, "artifactId");
        String scope = text(dependency, "scope");
        String wanted = resolve(text(dependency, "version"), properties);
        if (wanted.contains("SNAPSHOT") || wanted.contains("${") || group.contains("${")) {
            faults.add("depends on " + group + ":" + name + ":" + wanted);
        }
        boolean atRunTime = !scope.equals("test") && !scope.equals("provided");
        if (group.equals(GROUP) && atRunTime && !poms.containsKey(name)) {
            faults.add("depends on " + name + ", which is not published");
        }
        if (group.equals(GROUP) && !wanted.equals(version)) {
            faults.add("depends on " + name + ":" + wanted);
        }
    }

    private void checkBom(List<String> faults) {
        Set<String> listed = new TreeSet<>();
        for (Element managed :
                children(child(child(poms.get("kubeloop-bom"), "dependencyManagement"), "dependencies"))) {
            listed.add(text(managed, "artifactId"));
            if (!resolve(text(managed, "version"), properties("kubeloop-bom")).equals(version)) {
                faults.add(text(managed, "artifactId") + " has the version " + text(managed, "version"));
            }
        }
        Set<String> jars = new TreeSet<>(poms.keySet());
        jars.removeIf(name -> text(poms.get(name), "packaging").equals("pom"));
        if (!listed.equals(jars)) {
            faults.add("it lists " + listed + ", published are " + jars);
        }
        if (child(poms.get("kubeloop-bom"), "parent") != null) {
            faults.add("it has a parent, whose versions an import would bring too");
        }
    }

    private String inherited(String artifact, String path) {
        Element pom = poms.get(artifact);
        String own = text(pom, path);
        String parent = text(pom, "parent/artifactId");
        boolean isInherited = !path.equals("name") && !path.equals("description");
        String found = own.isEmpty() && isInherited && poms.containsKey(parent) ? inherited(parent, path) : own;
        return resolve(found, properties(artifact));
    }

    private Map<String, String> properties(String artifact) {
        Element pom = poms.get(artifact);
        String parent = text(pom, "parent/artifactId");
        Map<String, String> all = poms.containsKey(parent) ? properties(parent) : new HashMap<>();
        for (Element property : children(child(pom, "properties"))) {
            all.put(property.getTagName(), property.getTextContent());
        }
        all.put("project.version", version);
        all.put("project.groupId", GROUP);
        all.put("project.artifactId", artifact);
        return all;
    }

    private static String resolve(String value, Map<String, String> properties) {
        Matcher matcher = PROPERTY.matcher(value);
        return matcher.replaceAll(
                found -> Matcher.quoteReplacement(properties.getOrDefault(found.group(1), found.group())));
    }

    private static String text(Element from, String path) {
        Element at = from;
        for (String name : path.split("/")) {
            at = child(at, name);
        }
        return at == null ? "" : at.getTextContent().trim();
    }

    private static Element child(Element of, String name) {
        return children(of).stream()
                .filter(e -> e.getTagName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static List<Element> children(Element of) {
        List<Element> found = new ArrayList<>();
        for (Node n = of == null ? null : of.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element element) {
                found.add(element);
            }
        }
        return found;
    }

    // --- files

    private int checkFiles(String artifact, List<String> faults) throws Exception {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(directory(artifact))) {
            all.filter(file -> !file.toString().matches(".*\\.(md5|sha1|sha256|sha512|asc)"))
                    .sorted()
                    .forEach(files::add);
        }
        List<String> wanted = new ArrayList<>(List.of(".pom", "-cyclonedx.json"));
        if (!text(poms.get(artifact), "packaging").equals("pom")) {
            wanted.addAll(List.of(".jar", "-sources.jar", "-javadoc.jar"));
        }
        for (String suffix : wanted) {
            Path file = directory(artifact).resolve(artifact + "-" + version + suffix);
            if (!files.contains(file)) {
                faults.add("no file " + file.getFileName());
            } else if (suffix.endsWith(".jar")) {
                checkJar(file, suffix, faults);
            }
        }
        for (Path file : files) {
            checkSums(file, faults);
            checkSignature(file, faults);
        }
        return files.size();
    }

    private static void checkJar(Path jar, String suffix, List<String> faults) throws IOException {
        String sign = switch (suffix) {
            case "-sources.jar" -> ".java";
            case "-javadoc.jar" -> ".html";
            default -> ".class";
        };
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            if (zip.stream().map(ZipEntry::getName).noneMatch(name -> name.endsWith(sign))) {
                faults.add(jar.getFileName() + " has no " + sign + " file");
            }
        }
    }

    private static void checkSums(Path file, List<String> faults) throws Exception {
        for (String algorithm : CHECKSUMS) {
            Path sum = file.resolveSibling(
                    file.getFileName() + "." + algorithm.replace("-", "").toLowerCase());
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            String is = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
            if (!Files.exists(sum) || !Files.readString(sum).trim().equals(is)) {
                faults.add(file.getFileName() + " has no correct checksum " + algorithm);
            }
        }
    }

    /** Uses the keys of the environment's GNUPGHOME. */
    private static void checkSignature(Path file, List<String> faults) throws Exception {
        Path signature = file.resolveSibling(file.getFileName() + ".asc");
        if (!Files.exists(signature)) {
            faults.add(file.getFileName() + " is not signed");
            return;
        }
        Process gpg = new ProcessBuilder("gpg", "--batch", "--verify", signature.toString(), file.toString())
                .redirectErrorStream(true)
                .start();
        String output;
        try (InputStream in = gpg.getInputStream()) {
            output = new String(in.readAllBytes());
        }
        if (gpg.waitFor() != 0) {
            faults.add(file.getFileName() + " has a wrong signature: " + output.trim());
        }
    }
}
