/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.header;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoopbackHostsTest {

    @ParameterizedTest
    @CsvSource({
        "localhost:80,true",
        "LOCALHOST,true",
        "127.0.0.1:6443,true",
        "127.1.2.3,true",
        "[::1]:6443,true",
        "web.localhost:1,true",
        "myhost:80,true",
        "'',true",
        "evil.example:6443,false",
        "127.0.0.1.evil.example,false",
        "localhost.evil.example:80,false",
        "10.0.0.1,false"
    })
    void test_anyHost_isThisMachineOrNot(String host, boolean isLocal) {
        assertThat(new LoopbackHosts("MyHost").test(host)).isEqualTo(isLocal);
    }
}
