/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import com.google.re2j.Pattern;

/**
 * The format of an e-mail address, with or without a name (upstream: {@code net/mail.ParseAddress}). Static functions
 * only.
 */
final class EmailFormat {

    private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+";
    private static final String QUOTED = "\"(?:[^\"\\\\\\r\\n]|\\\\.)*\"";
    private static final String DOMAIN = "(?:" + ATOM + "(?:\\." + ATOM + ")*|\\[[^\\]\\[\\\\]+\\])";
    private static final String ADDRESS = "(?:" + ATOM + "(?:\\." + ATOM + ")*|" + QUOTED + ")@" + DOMAIN;
    private static final String WORD = "(?:" + ATOM + "(?:\\." + ATOM + ")*\\.?|" + QUOTED + ")";
    private static final Pattern MAILBOX =
            Pattern.compile("\\s*(?:" + ADDRESS + "|(?:" + WORD + "(?:\\s+" + WORD + ")*)?\\s*<" + ADDRESS + ">)\\s*");

    private EmailFormat() {}

    static boolean isEmail(String text) {
        return MAILBOX.matcher(text).matches();
    }
}
