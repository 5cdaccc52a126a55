/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.http.wire.RequestTarget;
import io.kubeloop.manager.command.pages.HealthPage.Check;
import io.kubeloop.manager.command.pages.HealthPage.Response;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts of success are those that kube-controller-manager 1.36.3 sends on its secure port. */
class HealthPageTest {

    private String problem = "";
    private List<Check> checks = List.of(
            new Check("leaderElection", () -> problem),
            Check.ping("serviceaccount-token-controller"),
            Check.ping("deployment-controller"));
    private final HealthPage page = new HealthPage("/healthz", () -> checks);

    private Response get(String path) {
        URI uri = URI.create(path);
        String query = uri.getRawQuery();
        return page.respond(new RequestTarget(uri.getPath(), query == null ? "" : query));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/healthz", "/healthz?exclude=leaderElection", "/healthz?exclude=nothing", "/healthz?verbos"})
    void page_withoutVerbose_isBrief(String path) {
        assertThat(get(path)).isEqualTo(new Response(200, "ok"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz?verbose", "/healthz?verbose=false", "/healthz?a=b&verbose"})
    void verbose_listsTheChecks(String path) {
        assertThat(get(path)).isEqualTo(new Response(200, """
                [+]leaderElection ok
                [+]serviceaccount-token-controller ok
                [+]deployment-controller ok
                healthz check passed
                """));
    }

    @Test
    void excludedChecks_areNotRun_andUnknownOnesAreNamed() {
        problem = "too late";
        assertThat(get("/healthz?verbose&exclude=deployment-controller&exclude=leaderElection&exclude=b&exclude=a"))
                .isEqualTo(new Response(200, """
                [+]leaderElection excluded: ok
                [+]serviceaccount-token-controller ok
                [+]deployment-controller excluded: ok
                warn: some health checks cannot be excluded: no matches for "a","b"
                healthz check passed
                """));
    }

    /** The original withholds the reason on this page. */
    @Test
    void failure_isListed_withItsReason() {
        problem = "too late";
        assertThat(get("/healthz?exclude=deployment-controller")).isEqualTo(new Response(500, """
                [-]leaderElection failed: too late
                [+]serviceaccount-token-controller ok
                [+]deployment-controller excluded: ok
                healthz check failed
                """));
        assertThat(get("/healthz/leaderElection")).isEqualTo(new Response(500, "internal server error: too late\n"));
    }

    @Test
    void pageOfACheck_runsItAlone() {
        problem = "too late";
        assertThat(get("/healthz/deployment-controller")).isEqualTo(new Response(200, "ok"));
        assertThat(get("/healthz/nothing")).isNull();
        assertThat(get("/healthz/")).isNull();
        assertThat(get("/healthz/ping")).isNull();
    }

    /** Before the controllers start, and without an election. */
    @Test
    void pageWithoutChecks_showsThatTheProcessAnswers() {
        checks = List.of();
        assertThat(get("/healthz?verbose")).isEqualTo(new Response(200, "[+]ping ok\nhealthz check passed\n"));
        assertThat(get("/healthz/ping")).isEqualTo(new Response(200, "ok"));
    }

    @Test
    void remark_isPartOfTheVerboseOutput() {
        checks = List.of(new Check("informer-sync", () -> "", () -> "failing: pods (403 Forbidden)"));
        assertThat(get("/healthz")).isEqualTo(new Response(200, "ok"));
        assertThat(get("/healthz?verbose"))
                .isEqualTo(new Response(
                        200, "[+]informer-sync ok; failing: pods (403 Forbidden)\nhealthz check passed\n"));
    }
}
