/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Comparator;

/**
 * The order of the versions of an API: {@code v2} is newer than {@code v1}, which is newer than {@code v1beta2}, which
 * is newer than {@code v1alpha1}, which is newer than any other text (upstream: {@code
 * CompareKubeAwareVersionStrings}). Static functions only.
 */
public final class VersionOrder {

    private static final Pattern VERSION = Pattern.compile("v(\\d{1,9})(?:(alpha|beta)(\\d{1,9}))?");

    private static final Comparator<int[]> PARTS = Comparator.<int[]>comparingInt(parts -> parts[0])
            .thenComparingInt(parts -> parts[1])
            .thenComparingInt(parts -> parts[2]);

    private VersionOrder() {}

    /** Returns a positive number if the first version is newer than the second, negative if it is older. */
    public static int compare(String one, String two) {
        Matcher first = VERSION.matcher(one);
        Matcher second = VERSION.matcher(two);
        boolean firstKnown = first.matches();
        boolean secondKnown = second.matches();
        if (!firstKnown && !secondKnown) {
            return two.compareTo(one);
        }
        if (!firstKnown || !secondKnown) {
            return firstKnown ? 1 : -1;
        }
        return PARTS.compare(parts(first), parts(second));
    }

    private static int[] parts(Matcher version) {
        String stage = version.group(2);
        int maturity = stage == null ? 2 : stage.equals("beta") ? 1 : 0;
        int minor = stage == null ? 0 : Integer.parseInt(version.group(3));
        return new int[] {maturity, Integer.parseInt(version.group(1)), minor};
    }
}
