/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The normalized URLs of client-go v0.20.2 for these texts (CC-23). */
class ServerUrlTest {

    @ParameterizedTest
    @CsvSource({
        "https://h/p?x=y#z, https://h/p",
        "https://h/p#z, https://h/p%23z",
        "https://h/p#z?x, https://h/p%23z",
        "https://h/p?, https://h/p?",
        "Https://H/Y?q, https://H/Y",
        "https://h/a b?x, https://h/a%20b",
        "https://h/ä?x, https://h/%C3%A4",
        "https://h/a{b}?q, https://h/a%7Bb%7D",
        "https://h/a%20b c, https://h/a%20b%20c",
        "https://h/a%2Fb?c, https://h/a%2Fb",
        "https://u:p@[::1]:6443/x?y, https://u:p@[::1]:6443/x",
    })
    void normalized_urlWithPath_isEscapedAndHasNoQuery(String server, String expected) {
        assertThat(ServerUrl.normalized(server)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://h?x=y",
                "https://h/?x=y",
                "HTTPS://h",
                "h.example:6443/p?x",
                "https://h:port/p?x",
                "https://h/%zz?x",
                "https:opaque?x",
                "https://h#a/b?x"
            })
    void normalized_anythingElse_stays(String server) {
        assertThat(ServerUrl.normalized(server)).isEqualTo(server);
    }
}
