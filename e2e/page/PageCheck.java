/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Does on the live page of a demo what a person does: every lesson to its end, every fault, pause, step and rewind,
 * keyboard only, a narrow window, dark colors, the tree of a screen reader.
 *
 * <p>Usage: {@code PageCheck CHROMIUM URL PICTURES [PART]...}; without parts, all of them. {@code lesson-NAME} is a
 * part, too, and {@code scenes} takes the pictures of the book.
 */
final class PageCheck {

    private static final String READY = "document.querySelectorAll('.stage dd').length > 10";

    private final Browser browser;
    private final String url;
    private final Parts parts;

    private PageCheck(Browser browser, String url, Parts parts) {
        this.browser = browser;
        this.url = url;
        this.parts = parts;
    }

    public static void main(String[] args) throws Exception {
        Parts.main(args, (browser, url, parts) -> new PageCheck(browser, url, parts).run());
    }

    private void run() throws Exception {
        parts.run("first", this::first);
        parts.run("lessons", this::lessons);
        for (String name : parts.wanted()) {
            if (name.startsWith("lesson-")) {
                parts.run(name, () -> {
                    open(1440, 1200, false);
                    lesson(name);
                });
            }
        }
        parts.run("faults", this::faults);
        parts.run("time", this::time);
        parts.run("keyboard", this::keyboard);
        parts.run("accessibility", this::accessibility);
        parts.run("narrow", this::narrow);
        parts.run("dark", this::dark);
        if (parts.wanted().contains("scenes")) {
            parts.run("scenes", this::scenes);
        }
    }

    private void open(int width, int height, boolean dark) throws Exception {
        browser.open(url, width, height, dark);
        browser.await("document.readyState === 'complete' && document.getElementById('stages') !== null", 30);
        browser.await(READY, 30);
        browser.await("document.querySelectorAll('#fault-list button').length > 5", 30);
        browser.await("document.querySelectorAll('#lesson-list button').length > 11", 30);
    }

    private void first() throws Exception {
        open(1440, 1200, false);
        browser.await("document.querySelectorAll('.stage').length === 9", 5);
        TimeUnit.SECONDS.sleep(1);
        parts.picture("first");
    }

    private List<String> ids(String list) throws Exception {
        return List.of(browser.eval("[...document.querySelectorAll('#" + list + " button')].map(b => b.id).join()")
                .split(","));
    }

    private void lessons() throws Exception {
        open(1440, 1200, false);
        List<String> failed = new ArrayList<>();
        for (String lesson : ids("lesson-list")) {
            try {
                lesson(lesson);
                System.out.println("ok     " + lesson);
            } catch (IllegalStateException e) {
                failed.add(lesson);
                parts.fail(lesson, e);
            }
        }
        if (!failed.isEmpty()) {
            throw new IllegalStateException("these fail: " + failed);
        }
    }

    /** Goes on as soon as the page offers the next step, until it has shown the answer. */
    private void lesson(String id) throws Exception {
        browser.click(id);
        while (browser.eval("document.getElementById('answer') === null || document.getElementById('next') !== null")
                .equals("true")) {
            browser.await("document.getElementById('next') !== null", 45);
            if (browser.eval("document.querySelector('#scene .failed') !== null")
                    .equals("true")) {
                throw new IllegalStateException(browser.eval("document.getElementById('scene').innerText"));
            }
            parts.picture(id); // the last one stays
            browser.click("next");
            TimeUnit.MILLISECONDS.sleep(60);
        }
        parts.picture(id + "-answer");
    }

    private void faults() throws Exception {
        open(1440, 1200, false);
        for (String fault : ids("fault-list")) {
            browser.click(fault);
            browser.await("document.querySelectorAll('#fault-text a').length === 1", 5);
            String link = browser.eval("(await fetch(document.querySelector('#fault-text a').href)).status");
            if (!link.equals("200")) {
                throw new IllegalStateException(fault + " links to a page that answers " + link);
            }
            TimeUnit.SECONDS.sleep(2);
            parts.picture(fault);
            browser.click("clear");
        }
        browser.await("document.getElementById('clear').disabled", 20);
    }

    private void time() throws Exception {
        open(1440, 1200, false);
        browser.click("lesson-first-event");
        browser.await("document.getElementById('next') !== null", 20);
        browser.set("follow", "default/lesson-steps", "change");
        browser.click("pause");
        browser.await("document.getElementById('pause').textContent === 'Continue'", 5);
        command("{do: 'request', method: 'POST', path: '/api/v1/namespaces/default/pods', body: {apiVersion: 'v1', "
                + "kind: 'Pod', "
                + "metadata: {name: 'lesson-steps'}, spec: {containers: [{name: 'a', image: 'b'}]}}}");
        String received =
                "document.getElementById('trace').textContent.includes('received added default/lesson-steps')";
        String stored =
                "document.getElementById('trace').textContent.includes('Store of pods: added default/lesson-steps')";
        browser.await(received, 10);
        if (browser.eval(stored).equals("true")) {
            throw new IllegalStateException("the pod is stored although the demo is paused");
        }
        parts.picture("paused");
        for (int i = 0; i < 40 && browser.eval(stored).equals("false"); i++) {
            browser.click("step");
            TimeUnit.MILLISECONDS.sleep(300);
        }
        browser.await(stored, 5);
        browser.click("real");
        browser.await(
                "document.getElementById('trace').textContent.includes('Worker of viewer is done with "
                        + "default/lesson-steps')",
                10);
        browser.set("rewind", "-6", "input");
        browser.await("document.getElementById('when').textContent.endsWith('s ago')", 5);
        parts.picture("rewound");
        browser.click("step");
        browser.click("real");
        browser.await("document.getElementById('when').textContent === 'live'", 5);
        command("{do: 'reset'}");
    }

    private void command(String body) throws Exception {
        String answer = browser.eval(
                "await (await fetch('live/do', {method: 'POST', headers: {'X-Kubeloop-Page': '1', Authorization: "
                        + "'Bearer ' + localStorage.getItem('key')}, body: "
                        + "JSON.stringify(" + body + ")})).text()");
        if (!answer.startsWith("{")) {
            throw new IllegalStateException(body + ": " + answer);
        }
    }

    /** Tab reaches every control in the order of the page; Enter, space and the arrow keys operate them. */
    private void keyboard() throws Exception {
        open(1440, 1200, false);
        List<String> reached = new ArrayList<>();
        int controls = Integer.parseInt(
                browser.eval("String(document.querySelectorAll('a, button, input, select, [tabindex]').length)"));
        for (int i = 0; i < controls; i++) {
            browser.press("Tab", 9, "");
            reached.add(browser.eval("document.activeElement.id || document.activeElement.className"));
        }
        for (String wanted : List.of(
                "skip",
                "pause",
                "step",
                "slow",
                "real",
                "rewind",
                "lane",
                "queue",
                "lesson-first-event",
                "fault-gone",
                "follow",
                "log")) {
            if (!reached.contains(wanted)) {
                throw new IllegalStateException("Tab does not reach " + wanted + ": " + reached);
            }
        }
        browser.eval("document.getElementById('pause').focus()");
        browser.press("Enter", 13, "\r");
        browser.await("document.getElementById('pause').getAttribute('aria-pressed') === 'true'", 5);
        parts.picture("keyboard");
        browser.press("Enter", 13, "\r");
        browser.await("document.getElementById('real').getAttribute('aria-pressed') === 'true'", 5);
        browser.eval("document.getElementById('lesson-watch-ends').focus()");
        browser.press("Enter", 13, "\r");
        for (int i = 0;
                i < 8
                        && browser.eval("document.getElementById('answer') === null")
                                .equals("true");
                i++) {
            browser.await("document.activeElement.id === 'next'", 30);
            browser.press("Enter", 13, "\r");
            TimeUnit.MILLISECONDS.sleep(300);
        }
        browser.await("document.getElementById('answer') !== null", 5);
    }

    private void narrow() throws Exception {
        open(375, 2600, false);
        TimeUnit.SECONDS.sleep(1);
        parts.picture("narrow");
        String width = browser.eval("document.documentElement.scrollWidth");
        if (Integer.parseInt(width) > 375) {
            throw new IllegalStateException("the page is " + width + " px wide in a window of 375");
        }
    }

    private void dark() throws Exception {
        open(1440, 1200, true);
        browser.click("lesson-rollout");
        browser.await("document.getElementById('next') !== null", 20);
        browser.click("next");
        TimeUnit.MILLISECONDS.sleep(700);
        parts.picture("dark");
        command("{do: 'reset'}");
    }

    /** Every control has a name and a role, the landmarks exist, and the live regions announce what happens. */
    private void accessibility() throws Exception {
        open(1440, 1200, false);
        browser.click("fault-end-watch");
        browser.await("document.getElementById('fault-text').innerText.includes('ends all watches')", 5);
        browser.await("document.getElementById('summary').textContent.includes('events received')", 15);
        Accessibility tree = Accessibility.of(browser);
        Parts.require(tree.incomplete().isEmpty(), "controls without a name or a role: " + tree.incomplete());
        int visible = Integer.parseInt(
                browser.eval("[...document.querySelectorAll('button:enabled, a[href], input, select, [tabindex]')]"
                        + ".filter(e => e.checkVisibility({contentVisibilityAuto: true})).length"));
        Parts.require(
                tree.controls().size() >= visible,
                visible + " controls, but " + tree.controls().size() + " for a screen reader");
        Parts.require(
                tree.names("banner").size() == 1 && tree.names("main").size() == 1,
                "the page has no banner or main landmark");
        for (String region : List.of(
                "Time",
                "Pipeline",
                "Lessons",
                "Faults",
                "One object",
                "The store",
                "Expectations and lease",
                "In words")) {
            Parts.require(tree.names("region").contains(region), "no landmark " + region + ": " + tree.names("region"));
        }
        Parts.require(tree.names("article").size() == 9, "the stages are not articles: " + tree.names("article"));
        String announced = String.join(" | ", tree.announced());
        for (String news : List.of("leads", "ends all watches", "events received")) {
            Parts.require(announced.contains(news), "no live region says '" + news + "': " + announced);
        }
        System.out.println("       " + tree.controls().size() + " controls, "
                + tree.names("region").size() + " regions, " + tree.announced().size() + " live regions");
    }

    /** Takes the pictures of the book: for each chapter the pipeline in a lesson, when most tokens are under way. */
    private void scenes() throws Exception {
        for (String scene : List.of(
                "first-event", "resync", "expectations", "rollout", "leader-change", "stale", "backoff", "owners")) {
            open(1440, 900, false);
            scene(scene);
            command("{do: 'reset'}");
        }
    }

    private void scene(String name) throws Exception {
        String clip = "(() => { const r = document.getElementById('pipeline').getBoundingClientRect(); "
                + "return JSON.stringify({x: r.x, y: r.y, width: r.width, height: r.height, scale: 0.8}); })()";
        browser.click("lesson-" + name);
        browser.await("document.getElementById('next') !== null", 45);
        int most = -1;
        boolean asks = false;
        while (!asks) {
            browser.click("next");
            String open = "document.getElementById('next') === null";
            for (int i = 0; i < 300 && browser.eval(open).equals("true"); i++) {
                int tokens = Integer.parseInt(browser.eval("document.getElementById('tokens').dataset.tokens"));
                if (tokens >= most) {
                    most = tokens;
                    browser.picture(parts.file("scene-" + name + ".webp"), JsonObject.parse(browser.eval(clip)));
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
            asks = browser.eval("document.getElementById('next').textContent").equals("A question");
        }
    }
}
