/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NO_PROXY and the other variables, by Go's rules (TP-01). */
class NoProxyTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // list | host | port | matches
                "'' | api.example.com | 443 | false",
                "* | api.example.com | 443 | true",
                "a, * ,b | api.example.com | 443 | true",
                "example.com | example.com | 443 | true",
                "example.com | api.example.com | 443 | true",
                "EXAMPLE.com | Api.Example.COM | 443 | true",
                "example.com | notexample.com | 443 | false",
                ".example.com | api.example.com | 443 | true",
                ".example.com | example.com | 443 | false",
                "*.example.com | api.example.com | 443 | true",
                "*.example.com | example.com | 443 | false",
                "example.com:443 | example.com | 443 | true",
                "example.com:443 | example.com | 6443 | false",
                ".example.com:6443 | api.example.com | 6443 | true",
                "example.com:x | example.com | 443 | false",
                ":443 | example.com | 443 | false",
                "10.0.0.1 | 10.0.0.1 | 443 | true",
                "10.0.0.1 | 10.0.0.10 | 443 | false",
                "10.0.0.1:6443 | 10.0.0.1 | 6443 | true",
                "10.0.0.1:6443 | 10.0.0.1 | 443 | false",
                "10.0.0.0/8 | 10.255.1.2 | 443 | true",
                "10.0.0.0/8 | 11.0.0.1 | 443 | false",
                "10.96.0.0/12 | 10.111.255.255 | 443 | true",
                "10.96.0.0/12 | 10.112.0.0 | 443 | false",
                "0.0.0.0/0 | 8.8.8.8 | 443 | true",
                "10.0.0.1/32 | 10.0.0.1 | 443 | true",
                "10.0.0.0/33 | 10.0.0.1 | 443 | false",
                "10.0.0.0/8:443 | 10.0.0.1 | 443 | false",
                "10.0.0.0/8 | ten.example.com | 443 | false",
                "fd00::/8 | fd12::1 | 443 | true",
                "fd00::/8 | fe80::1 | 443 | false",
                "fd00::/8 | 10.0.0.1 | 443 | false",
                "fd00::1 | fd00:0::1 | 443 | true",
                "[fd00::1] | fd00::1 | 443 | true",
                "[fd00::1]:443 | fd00::1 | 443 | true",
                "[fd00::1]:443 | fd00::1 | 80 | false",
                "::ffff:10.0.0.1 | 10.0.0.1 | 443 | true",
                "999.0.0.1 | 999.0.0.1 | 443 | true",
                // This machine is never reached through a proxy.
                "'' | localhost | 443 | true",
                "'' | LOCALHOST | 443 | true",
                "'' | 127.0.0.1 | 443 | true",
                "'' | 127.8.9.1 | 443 | true",
                "'' | ::1 | 443 | true",
                "'' | localhost.example.com | 443 | false",
            })
    void matches_lists_areReadAsGoDoes(String list, String host, int port, boolean matches) {
        assertThat(NoProxy.parse(list).matches(host, port)).isEqualTo(matches);
    }

    private static String choose(String scheme, String... variables) {
        Map<String, String> environment = new java.util.HashMap<>();
        for (String variable : variables) {
            environment.put(variable.split("=", 2)[0], variable.split("=", 2)[1]);
        }
        ProxyEnvironment.Choice choice = new ProxyEnvironment(environment).choose(scheme, "api.example.com", 443);
        return choice == null ? "nothing" : choice.variable() + " " + choice.url();
    }

    @Test
    void choose_variables_areReadByScheme() {
        assertThat(choose("https")).isEqualTo("nothing");
        assertThat(choose("https", "HTTPS_PROXY=http://p:1", "HTTP_PROXY=http://q:1"))
                .isEqualTo("HTTPS_PROXY http://p:1");
        assertThat(choose("http", "HTTPS_PROXY=http://p:1", "HTTP_PROXY=http://q:1"))
                .isEqualTo("HTTP_PROXY http://q:1");
        assertThat(choose("https", "https_proxy=p:1")).isEqualTo("HTTPS_PROXY http://p:1");
        assertThat(choose("https", "HTTPS_PROXY=a:1", "https_proxy=b:1")).isEqualTo("HTTPS_PROXY http://a:1");
        assertThat(choose("https", "HTTP_PROXY=q:1")).isEqualTo("nothing");
        assertThat(choose("https", "HTTPS_PROXY=", "NO_PROXY=*")).isEqualTo("nothing");
        assertThat(choose("https", "HTTPS_PROXY=p:1", "no_proxy=example.com")).isEqualTo("NO_PROXY ");
    }

    @Test
    void choose_cgiProgram_ignoresTheVariableThatARequestCanSet() {
        assertThat(choose("http", "HTTP_PROXY=p:1", "REQUEST_METHOD=GET")).isEqualTo("nothing");
        assertThat(choose("https", "HTTPS_PROXY=p:1", "REQUEST_METHOD=GET")).isEqualTo("HTTPS_PROXY http://p:1");
    }
}
