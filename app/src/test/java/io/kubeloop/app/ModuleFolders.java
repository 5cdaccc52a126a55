/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the folders of the modules by the {@code <module>} elements of the POMs, groups included. */
final class ModuleFolders {

    static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private ModuleFolders() {}

    /** Returns the modules with code or a BOM, in the order of the build: no group. */
    static List<Path> all() throws IOException {
        List<Path> found = new ArrayList<>();
        addModules(HOME, found);
        return found;
    }

    private static void addModules(Path folder, List<Path> found) throws IOException {
        List<String> children = MODULE.matcher(Files.readString(folder.resolve("pom.xml")))
                .results()
                .map(result -> result.group(1))
                .toList();
        if (children.isEmpty()) {
            found.add(folder);
        }
        for (String child : children) {
            addModules(folder.resolve(child), found);
        }
    }

    /** Returns the names of the modules, relative to the top: {@code controllers/apps}. */
    static List<String> names() throws IOException {
        return all().stream()
                .map(module -> HOME.relativize(module).toString().replace('\\', '/'))
                .toList();
    }

    /** Returns the existing folders {@code child} of all modules. */
    static Stream<Path> children(String child) throws IOException {
        return all().stream().map(module -> module.resolve(child)).filter(Files::exists);
    }
}
