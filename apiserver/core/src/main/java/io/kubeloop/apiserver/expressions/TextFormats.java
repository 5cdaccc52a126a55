/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import io.kubeloop.apiserver.customresources.values.Formats;

/** The formats of strings in schemas, for compilers. Static functions only. */
public final class TextFormats {

    private TextFormats() {}

    /**
     * Returns whether a string has a format.
     *
     * @param format a format of schemas, such as {@code uuid} or {@code date}
     */
    public static boolean matches(String format, String text) {
        return Formats.matches(format, text);
    }
}
