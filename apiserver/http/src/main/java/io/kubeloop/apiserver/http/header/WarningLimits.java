/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.header;

import java.util.ArrayList;
import java.util.List;

/**
 * The limits of the warnings in one response (upstream: {@code apiserver/pkg/endpoints/filters/warning.go}). Texts that
 * have more than 4,096 characters together are cut to 256 characters each, and those after the first 4,096 characters
 * are
 * left out. Thread-safe: stateless.
 */
public final class WarningLimits {

    private static final int TOTAL = 4 << 10;
    private static final int OF_ONE = 256;

    private WarningLimits() {}

    public static List<String> of(List<String> texts) {
        if (texts.stream().mapToLong(WarningLimits::length).sum() <= TOTAL) {
            return texts;
        }
        List<String> shown = new ArrayList<>();
        long total = 0;
        for (int i = 0; i < texts.size() && total < TOTAL; i++) {
            String text = texts.get(i);
            String cut = length(text) <= OF_ONE ? text : text.substring(0, text.offsetByCodePoints(0, OF_ONE));
            total += length(cut);
            shown.add(cut);
        }
        return shown;
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
