/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.kubeconfig;

import io.kubeloop.transport.http.Kubeconfig;
import io.kubeloop.transport.http.KubeconfigException;
import io.kubeloop.transport.http.errors.IoErrors;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the kubeconfig files and merges them (upstream: {@code clientcmd.ClientConfigLoadingRules}). Immutable.
 *
 * <p>An explicit file is used alone and must exist. Otherwise the files of {@code KUBECONFIG} are used, else {@code
 * ~/.kube/config}. Missing files are skipped. Of two entries with one name, the first one counts, as a whole.
 */
public final class KubeconfigLoader {

    private static final Logger LOG = LoggerFactory.getLogger(KubeconfigLoader.class);

    private final @Nullable Path explicit;
    private final List<String> precedence;
    private final boolean warnIfAllMissing;

    private KubeconfigLoader(@Nullable Path explicit, List<String> precedence, boolean warnIfAllMissing) {
        this.explicit = explicit;
        this.precedence = precedence;
        this.warnIfAllMissing = warnIfAllMissing;
    }

    public static KubeconfigLoader ofFile(Path explicit) {
        return new KubeconfigLoader(explicit, List.of(), false);
    }

    public static KubeconfigLoader ofFiles(List<String> precedence) {
        return new KubeconfigLoader(null, precedence, false);
    }

    /**
     * Returns the loader for an environment: the files of its {@code KUBECONFIG}, or the file in the home directory.
     */
    public static KubeconfigLoader ofEnvironment(Map<String, String> environment, String home) {
        String list = KubeconfigDefaults.orEmpty(environment.get("KUBECONFIG"));
        if (list.isEmpty()) {
            return ofFiles(List.of(Path.of(home, ".kube", "config").toString()));
        }
        return new KubeconfigLoader(
                null, List.copyOf(new LinkedHashSet<>(List.of(list.split(File.pathSeparator)))), true);
    }

    /**
     * Returns the merged configuration; empty if there is no file.
     *
     * @throws KubeconfigException if the explicit file is missing, or a file cannot be read or is malformed. The
     *     message names all such files
     */
    public Kubeconfig load() {
        if (explicit != null) {
            return loadExplicit(explicit);
        }
        Kubeconfig merged = Kubeconfig.EMPTY;
        List<String> problems = new ArrayList<>();
        int missing = 0;
        for (String name : precedence) {
            if (name.isEmpty()) {
                continue;
            }
            try {
                merged = merge(merged, KubeconfigReader.read(Path.of(name)));
            } catch (NoSuchFileException e) {
                missing++;
            } catch (IOException e) {
                problems.add(unreadable(Path.of(name), e));
            } catch (KubeconfigException e) {
                problems.add(e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new KubeconfigException(String.join("; ", problems), null);
        }
        if (warnIfAllMissing && missing > 0 && merged.equals(Kubeconfig.EMPTY)) {
            LOG.warn("none of the files in KUBECONFIG exists: {}", precedence);
        }
        return merged;
    }

    /** Returns why there is no current context: the files that do not exist, and those that have none. */
    public String withoutContext() {
        List<String> files = explicit == null
                ? precedence.stream().filter(name -> !name.isEmpty()).toList()
                : List.of(explicit.toString());
        if (files.isEmpty()) {
            return "the variable KUBECONFIG names no file";
        }
        return files.stream()
                .map(name ->
                        Files.exists(Path.of(name)) ? name + " has no current context" : "there is no file " + name)
                .collect(Collectors.joining(", and "));
    }

    /** Returns the first configuration, with the entries that only the second one has. Entries are taken as a whole. */
    private static Kubeconfig merge(Kubeconfig first, Kubeconfig second) {
        return new Kubeconfig(
                KubeconfigDefaults.either(first.currentContext(), second.currentContext()),
                union(first.clusters(), second.clusters()),
                union(first.users(), second.users()),
                union(first.contexts(), second.contexts()));
    }

    private static <V> Map<String, V> union(Map<String, V> first, Map<String, V> second) {
        Map<String, V> all = new LinkedHashMap<>(first);
        second.forEach(all::putIfAbsent);
        return all;
    }

    private static Kubeconfig loadExplicit(Path file) {
        try {
            return KubeconfigReader.read(file);
        } catch (IOException e) {
            throw new KubeconfigException(unreadable(file, e), e);
        }
    }

    private static String unreadable(Path file, IOException e) {
        String reason = file.toFile().isDirectory() ? "it is a directory" : IoErrors.reason(e);
        return "cannot read kubeconfig " + file + ": " + reason;
    }
}
