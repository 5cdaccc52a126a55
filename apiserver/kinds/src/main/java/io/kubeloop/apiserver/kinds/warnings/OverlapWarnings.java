/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Warnings about files of a volume that hide each other (upstream: {@code warningsForOverlappingVirtualPaths}). */
final class OverlapWarnings {

    /** The most warnings about a source. A response shows fewer. */
    private static final int MOST = 128;

    private static final int LONGEST_PATH = 4096;

    private static final Pattern SLASHES = Pattern.compile("/+$");

    /** A file of a volume, with the source of its content. The source is empty if the volume has only one source. */
    private record File(String path, String source) {

        /** Returns whether one of two files is the other, or is below the other. */
        boolean overlaps(File other) {
            return !path.isEmpty()
                    && !other.path.isEmpty()
                    && ((path + "/").startsWith(other.path + "/") || (other.path + "/").startsWith(path + "/"));
        }

        @Override
        public String toString() {
            return "\"" + path + "\"" + (source.isEmpty() ? "" : " (" + source + ")");
        }
    }

    private OverlapWarnings() {}

    /** Adds the warnings about a list of volumes. */
    static void add(FieldCursor volumes, List<String> warnings) {
        volumes.each(volume -> {
            FieldCursor map = volume.at("configMap");
            FieldCursor secret = volume.at("secret");
            check(volume, named("ConfigMap", map.at("name")), items(map, ""), warnings);
            check(volume, named("Secret", secret.at("secretName")), items(secret, ""), warnings);
            check(volume, "DownwardAPI", items(volume.at("downwardAPI"), ""), warnings);
            List<File> files = new ArrayList<>();
            volume.at("projected", "sources").each(source -> {
                if (source.isEmpty()) {
                    warnings.add("volume \"" + volume.at("name").text() + "\" (Projected) has no sources provided");
                }
                files.addAll(projected(source));
            });
            check(volume, "Projected", files, warnings);
        });
    }

    private static String named(String kind, FieldCursor name) {
        return kind + " \"" + name.text() + "\"";
    }

    private static List<File> items(FieldCursor source, String name) {
        return source.at("items").items().stream()
                .map(item -> new File(item.at("path").text(), name))
                .toList();
    }

    private static List<File> projected(FieldCursor source) {
        FieldCursor map = source.at("configMap");
        FieldCursor secret = source.at("secret");
        FieldCursor bundle = source.at("clusterTrustBundle");
        FieldCursor certificate = source.at("podCertificate");
        if (!map.at("items").isEmpty()) {
            return items(map, named("ConfigMap", map.at("name")));
        }
        if (!secret.at("items").isEmpty()) {
            return items(secret, named("Secret", secret.at("name")));
        }
        if (!source.at("downwardAPI", "items").isEmpty()) {
            return items(source.at("downwardAPI"), "DownwardAPI");
        }
        if (source.at("serviceAccountToken").isSet()) {
            return List.of(new File(source.at("serviceAccountToken", "path").text(), "ServiceAccountToken"));
        }
        if (bundle.isSet()) {
            FieldCursor name = bundle.at("name").isSet() ? bundle.at("name") : bundle.at("signerName");
            return List.of(new File(bundle.at("path").text(), named("ClusterTrustBundle", name)));
        }
        List<File> files = new ArrayList<>();
        part(certificate.at("certificateChainPath"), "PodCertificate chain", files);
        part(certificate.at("keyPath"), "PodCertificate key", files);
        part(certificate.at("credentialBundlePath"), "PodCertificate credential bundle", files);
        return files;
    }

    private static void part(FieldCursor path, String source, List<File> files) {
        if (!path.isEmpty()) {
            files.add(new File(path.text(), source));
        }
    }

    private static void check(FieldCursor volume, String source, List<File> files, List<String> warnings) {
        List<File> before = new ArrayList<>();
        Set<String> directories = new HashSet<>();
        Set<String> paths = new HashSet<>();
        int most = warnings.size() + MOST;
        for (File file : files) {
            File trimmed = new File(SLASHES.matcher(file.path()).replaceFirst(""), file.source());
            List<String> above = directories(trimmed.path());
            boolean overlaps = directories.contains(trimmed.path())
                    || paths.contains(trimmed.path())
                    || above.stream().anyMatch(paths::contains);
            if (overlaps) {
                before.stream()
                        .filter(trimmed::overlaps)
                        .limit(most - warnings.size())
                        .forEach(other ->
                                warnings.add("volume \"" + volume.at("name").text() + "\" (" + source
                                        + "): overlapping paths: " + trimmed + " with " + other));
            }
            if (warnings.size() >= most) {
                return;
            }
            before.add(trimmed);
            paths.add(trimmed.path());
            directories.addAll(above);
        }
    }

    /** Returns the directories above a path; none of a path that is too long for a file. */
    private static List<String> directories(String path) {
        List<String> directories = new ArrayList<>();
        int slash = path.length() > LONGEST_PATH ? -1 : path.lastIndexOf('/');
        for (; slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
            directories.add(path.substring(0, slash));
        }
        return directories;
    }
}
