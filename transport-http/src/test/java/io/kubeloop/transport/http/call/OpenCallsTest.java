/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import static org.assertj.core.api.Assertions.assertThat;

import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.Test;

/** The connection pools that are tracked (O4). */
class OpenCallsTest {

    private final OpenCalls open = new OpenCalls();
    private final OkHttpClient client = new OkHttpClient();

    private Call call() {
        return client.newCall(new Request.Builder().url("http://127.0.0.1:1/").build());
    }

    @Test
    void manage_poolWhoseFirstCallStillConnects_isKeptUntilThatHasEnded() {
        ConnectionPool pool = new ConnectionPool();
        Call connecting = call();
        open.manage(pool);
        open.add(connecting, pool);

        open.manage(new ConnectionPool());
        open.manage(new ConnectionPool());
        assertThat(open.pools()).isEqualTo(2);

        open.remove(connecting);
        open.manage(new ConnectionPool());
        assertThat(open.pools()).isEqualTo(1);
    }

    @Test
    void add_callOfAPoolThatWasDropped_bringsThePoolBack() {
        ConnectionPool former = new ConnectionPool();
        open.manage(former);
        open.manage(new ConnectionPool());
        assertThat(open.pools()).isEqualTo(1);

        open.add(call(), former);

        assertThat(open.pools()).isEqualTo(2);
    }
}
