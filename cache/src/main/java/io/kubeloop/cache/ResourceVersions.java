/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

/**
 * Compares resource versions of one resource. They are decimal numbers of any length, which every API server increases
 * (KEP-5504). Stateless and thread-safe.
 */
public final class ResourceVersions {

    private ResourceVersions() {}

    /** Returns whether both are versions and the first is greater. O(length). */
    public static boolean isNewer(String one, String other) {
        return isVersion(one) && isVersion(other) && compare(one, other) > 0;
    }

    /** Returns whether both are versions and the first is greater or the same. O(length). */
    public static boolean isAtLeast(String one, String other) {
        return isVersion(one) && isVersion(other) && compare(one, other) >= 0;
    }

    /** Compares two versions as numbers, like a {@link java.util.Comparator}. Both must be versions. O(length). */
    public static int compare(String one, String other) {
        return one.length() == other.length() ? one.compareTo(other) : Integer.compare(one.length(), other.length());
    }

    /** Returns whether the text is a decimal number without leading zeros. */
    public static boolean isVersion(String text) {
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.charAt(0) != '0';
    }
}
