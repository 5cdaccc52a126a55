/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import java.util.ArrayList;
import java.util.List;

/** The words of a line for a shell: blanks separate them, quotes protect blanks. */
final class Words {

    private Words() {}

    static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                begun = true;
            } else if (c == ' ' || c == '\t' || c == '\r') {
                if (begun) {
                    words.add(word.toString());
                    word.setLength(0);
                    begun = false;
                }
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }

    /** Returns an exit code; 2 for a text that is no number, as a shell does. */
    static int number(String text) {
        try {
            return Integer.parseInt(text) & 0xff;
        } catch (NumberFormatException e) {
            return 2;
        }
    }
}
