/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.discovery;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Comparator;

/**
 * Orders the versions of a group by preference: stable before beta before alpha, then the larger numbers, then all
 * other names by their text (upstream: {@code apimachinery/pkg/version} {@code CompareKubeAwareVersionStrings}).
 */
final class PreferredVersions {

    /** The preferred version is the first. */
    static final Comparator<String> PREFERRED_FIRST = PreferredVersions::compare;

    private static final Pattern VERSION = Pattern.compile("v([1-9]\\d{0,8})(?:(alpha|beta)([1-9]\\d{0,8}))?");

    private PreferredVersions() {}

    private static int compare(String one, String other) {
        Matcher first = VERSION.matcher(one);
        Matcher second = VERSION.matcher(other);
        boolean isVersion = first.matches();
        if (isVersion != second.matches()) {
            return isVersion ? -1 : 1;
        }
        if (!isVersion) {
            return one.compareTo(other);
        }
        int byStability = Integer.compare(stability(second), stability(first));
        int byMajor = Integer.compare(number(second.group(1)), number(first.group(1)));
        int byMinor = Integer.compare(number(second.group(3)), number(first.group(3)));
        return byStability != 0 ? byStability : byMajor != 0 ? byMajor : byMinor;
    }

    private static int stability(Matcher version) {
        return version.group(2) == null ? 2 : version.group(2).equals("beta") ? 1 : 0;
    }

    private static int number(String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
