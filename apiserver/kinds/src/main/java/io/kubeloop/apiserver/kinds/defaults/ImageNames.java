/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Locale;

/** Names of container images (upstream: {@code pkg/util/parsers}, {@code distribution/reference}). */
final class ImageNames {

    private static final String LABEL = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    private static final String PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";

    /** A name with an optional tag, which is group 1, and an optional digest, which is group 2. */
    private static final Pattern REFERENCE = Pattern.compile("(?:(?:" + LABEL + "(?:\\." + LABEL
            + ")*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?/)?" + PART + "(?:/" + PART
            + ")*(?::(\\w[\\w.-]{0,127}"
            + "))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?");

    private static final Pattern IDENTIFIER = Pattern.compile("[a-f0-9]{64}");

    private static final int MAX_PATH = 255;

    private ImageNames() {}

    /** Returns whether the content of an image can change: its tag is {@code latest}, also by default. */
    static boolean isLatest(String image) {
        if (IDENTIFIER.matcher(image).matches()) {
            return false;
        }
        String name = withDomain(image);
        Matcher reference = REFERENCE.matcher(name);
        if (!reference.matches() || path(name).length() > MAX_PATH) {
            return false; // upstream treats a malformed name as one with a tag
        }
        String tag = reference.group(1);
        return tag == null ? reference.group(2) == null : tag.equals("latest");
    }

    /** Returns a name without its domain, tag and digest; the default registry has a folder for names without one. */
    private static String path(String name) {
        String path = name.substring(name.indexOf('/') + 1).split("@", 2)[0].split(":", 2)[0];
        return name.startsWith("docker.io/") && path.indexOf('/') < 0 ? "library/" + path : path;
    }

    /** The first part of a name is a domain if it looks like one; otherwise the image is from the default registry. */
    private static String withDomain(String image) {
        int slash = image.indexOf('/');
        String first = slash < 0 ? "" : image.substring(0, slash);
        boolean isDomain = first.contains(".")
                || first.contains(":")
                || first.equals("localhost")
                || !first.toLowerCase(Locale.ROOT).equals(first);
        return isDomain ? image : "docker.io/" + image;
    }
}
