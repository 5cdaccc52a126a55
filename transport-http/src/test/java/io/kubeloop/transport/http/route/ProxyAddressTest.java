/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CC-25. */
class ProxyAddressTest {

    @ParameterizedTest
    @CsvSource({
        "http://proxy, proxy, 80, '', '', http://proxy:80",
        "HTTPS://proxy/, proxy, 443, '', '', https://proxy:443",
        "socks5h://proxy:, proxy, 1080, '', '', socks5://proxy:1080",
        "http://me:s%40c+ret@proxy:3128, proxy, 3128, me, s@c+ret, http://proxy:3128",
        "http://me:s@c:ret@proxy:3128, proxy, 3128, me, s@c:ret, http://proxy:3128",
        "http://corp_proxy:3128, corp_proxy, 3128, '', '', http://corp_proxy:3128",
        "http://me@corp_proxy.example, corp_proxy.example, 80, me, '', http://corp_proxy.example:80",
        "http://[::1]:3128, ::1, 3128, '', '', http://[::1]:3128",
        "socks5://me:secret@[fe80::1%25eth0], fe80::1%eth0, 1080, me, secret, socks5://[fe80::1%eth0]:1080"
    })
    void parse_whatProxiesAreCalled_isUnderstood(
            String url, String host, int port, String user, String password, String shown) {
        ProxyAddress proxy = ProxyAddress.parse("proxy-url", url);

        assertThat(proxy.host()).isEqualTo(host);
        assertThat(proxy.port()).isEqualTo(port);
        assertThat(proxy.user()).isEqualTo(user);
        assertThat(proxy.password()).isEqualTo(password);
        assertThat(proxy).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://u:secret@proxy:99999",
                "http://u:secret@proxy:3128x",
                "http://u:secret@:3128",
                "http://u:secret@",
                "http:secret",
                "http://u:secret@a:b:1",
                "http://u:se cret@proxy",
                "secret"
            })
    void parse_whatIsNoProxy_isRefusedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> ProxyAddress.parse("HTTPS_PROXY", url))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFIGURATION))
                .hasMessageStartingWith("HTTPS_PROXY ")
                .hasMessageNotContaining("secret");
    }
}
