/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.schema;

/** Paths of fields in error messages (upstream: {@code field.Path}). Static functions only. */
public final class Paths {

    /** The path of the object itself, which upstream prints for a nil path. */
    public static final String NONE = "<nil>";

    private Paths() {}

    /** Returns the path of a field of the object at a path; the empty path is that of the whole object. */
    public static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Returns the path of an element of a list. */
    public static String index(String path, int index) {
        return path + "[" + index + "]";
    }

    /** Returns the path of an entry of a map. */
    public static String key(String path, String key) {
        return path + "[" + key + "]";
    }

    /** Returns the path as error messages show it. */
    public static String shown(String path) {
        return path.isEmpty() ? NONE : path;
    }
}
