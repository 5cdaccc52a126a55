/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.apiserver.Calls.Watch;
import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that replaces another one makes the watches of the old server expire, so clients relist. */
class FirstVersionTest {

    @Test
    @Timeout(60)
    void watch_fromAVersionOfTheServerBefore_hasExpired() {
        try (ApiServer server = ApiServer.builder().firstVersion(1000).build(new CatalogKinds());
                Watch watch = new Calls(server).watch("/api/v1/pods?resourceVersion=500&timeoutSeconds=1")) {
            JsonObject frame = watch.frame();
            assertThat(frame.string("type")).isEqualTo("ERROR");
            assertThat(frame.number("object", "code")).isEqualTo(410);
        }
    }

    @Test
    void firstVersion_zero_isRefused() {
        assertThatThrownBy(() -> ApiServer.builder().firstVersion(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
