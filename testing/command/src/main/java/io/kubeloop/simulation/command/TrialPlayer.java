/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.command;

import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.demo.live.LiveFeed;
import io.kubeloop.demo.live.LivePage;
import io.kubeloop.demo.live.LiveView;
import io.kubeloop.demo.live.PageKey;
import io.kubeloop.demo.live.Passage;
import io.kubeloop.demo.live.Passage.Stage;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.command.pages.ManagerHttp;
import io.kubeloop.simulation.Finding;
import io.kubeloop.simulation.Moment;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/**
 * Plays a failed trial on the live page, one moment after the other: what the instances of the operator listed, saw and
 * wrote, and when they started and ended. The page itself pauses and steps. Thread-safe; {@link #play} blocks.
 */
final class TrialPlayer implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(400);
    private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(5);

    private final Finding finding;
    private final LiveFeed feed = new LiveFeed(LiveFeed.Gate.OPEN);
    private final PageKey key = PageKey.random();
    private final ManagerHttp http;
    private volatile String state = "waits for a viewer";

    private TrialPlayer(Finding finding, int port) {
        this.finding = finding;
        LiveView view = new LiveView(feed, LiveView.Metrics.NONE, this::about, resource -> null);
        http = ManagerHttp.bind("127.0.0.1", port);
        LivePage.addTo(http, view, true, key);
        http.start();
    }

    /**
     * Serves the page.
     *
     * @param port the port on the loopback interface; 0 for a free one
     */
    static TrialPlayer start(Finding finding, int port) {
        return new TrialPlayer(finding, port);
    }

    /** Returns the address of the page, with its key. */
    URI page() {
        return key.address(URI.create("http://127.0.0.1:" + http.port() + "/"));
    }

    private JsonObject about() {
        return JsonObject.EMPTY.with("state", state);
    }

    /** Plays the trial again and again while a viewer looks. Blocks until the process is asked to end. */
    void play(ShutdownSignal signal) throws InterruptedException {
        while (!signal.isAsked()) {
            int number = 0;
            for (Moment moment : finding.timeline()) {
                while (!feed.isWatched() && !signal.isAsked()) {
                    signal.await(PAUSE);
                }
                if (signal.isAsked()) {
                    return;
                }
                number++;
                state = finding.trial() + ", " + number + " of "
                        + finding.timeline().size() + ": " + moment;
                show(moment);
                signal.await(PAUSE);
            }
            state = finding.trial() + ": " + String.join("; ", finding.problems());
            signal.await(BETWEEN_ROUNDS);
        }
    }

    private void show(Moment moment) {
        String instance = "instance " + moment.instance();
        String version = "";
        switch (moment.kind()) {
            case STARTED, ENDED, STEP, DECLARED, CHANGED, DISTURBED -> {} // only the state of the page shows them
            case LISTED ->
                feed.report(new Passage(Stage.REFLECTOR, "listed", moment.resource(), "", version, instance));
            case SAW ->
                feed.report(new Passage(
                        Stage.REFLECTOR, kind(moment.verb()), moment.resource(), moment.object(), version, instance));
            case WROTE -> {
                feed.report(new Passage(
                        Stage.WRITES, moment.verb(), moment.resource(), moment.object(), version, instance));
                String answer = moment.result() == 0 ? "no-answer" : Integer.toString(moment.result());
                feed.report(new Passage(Stage.SERVER, answer, moment.resource(), moment.object(), version, instance));
            }
        }
    }

    /** Returns the page's word for the type of an event. */
    private static String kind(String type) {
        return type.equals("MODIFIED") ? "updated" : type.toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {
        http.close();
    }
}
