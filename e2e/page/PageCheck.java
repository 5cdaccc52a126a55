import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Does on the live page of a demo what a person does: every lesson to its end, every fault, pause, step and rewind, keyboard only,
 * a narrow window, dark colors.
 *
 * <p>Usage: {@code PageCheck CHROMIUM URL PICTURES [PART]...}; without parts, all of them. {@code lesson-NAME} is a part, too.
 */
final class PageCheck {

    private static final String READY = "document.querySelectorAll('.stage dd').length > 10";

    private final Browser browser;
    private final String url;
    private final Path pictures;

    private PageCheck(Browser browser, String url, Path pictures) {
        this.browser = browser;
        this.url = url;
        this.pictures = pictures;
    }

    private interface Part {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Path pictures = Files.createDirectories(Path.of(args[2]));
        List<String> parts = Arrays.asList(args).subList(3, args.length);
        List<String> failures = new ArrayList<>();
        try (Browser browser = new Browser(args[0])) {
            PageCheck check = new PageCheck(browser, args[1], pictures);
            check.part(parts, failures, "first", check::first);
            check.part(parts, failures, "lessons", check::lessons);
            for (String name : parts) {
                if (name.startsWith("lesson-")) {
                    check.part(parts, failures, name, () -> {
                        check.open(1440, 1200, false);
                        check.lesson(name);
                    });
                }
            }
            check.part(parts, failures, "faults", check::faults);
            check.part(parts, failures, "time", check::time);
            check.part(parts, failures, "keyboard", check::keyboard);
            check.part(parts, failures, "narrow", check::narrow);
            check.part(parts, failures, "dark", check::dark);
            check.part(parts, failures, "frames", check::frames);
            failures.addAll(browser.complaints());
        }
        failures.forEach(failure -> System.out.println("FAILED " + failure));
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    private void part(List<String> parts, List<String> failures, String name, Part part) throws Exception {
        if (!parts.isEmpty() && !parts.contains(name)) {
            return;
        }
        try {
            part.run();
            System.out.println("ok     " + name);
        } catch (IllegalStateException e) {
            failures.add(name + ": " + e.getMessage());
            browser.screenshot(pictures.resolve("failed-" + name + ".png"));
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
        browser.screenshot(pictures.resolve("first.png"));
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
                failed.add(lesson + ": " + e.getMessage());
                browser.screenshot(pictures.resolve("failed-" + lesson + ".png"));
            }
        }
        if (!failed.isEmpty()) {
            throw new IllegalStateException(String.join("\n  ", failed));
        }
    }

    /** Goes on as soon as the page offers the next step, until it has shown the answer. */
    private void lesson(String id) throws Exception {
        browser.click(id);
        for (int step = 0; browser.eval("document.getElementById('answer') === null || document.getElementById('next') !== null")
                .equals("true"); step++) {
            browser.await("document.getElementById('next') !== null", 45);
            if (browser.eval("document.querySelector('#scene .failed') !== null").equals("true")) {
                throw new IllegalStateException(browser.eval("document.getElementById('scene').innerText"));
            }
            if (step == 2) {
                browser.screenshot(pictures.resolve(id + ".png"));
            }
            browser.click("next");
            TimeUnit.MILLISECONDS.sleep(60);
        }
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
            browser.screenshot(pictures.resolve(fault + ".png"));
            browser.click("clear");
        }
        browser.await("document.getElementById('clear').disabled", 20);
    }

    private void time() throws Exception {
        open(1440, 1200, false);
        browser.click("lesson-first-event");
        browser.await("document.getElementById('next') !== null", 20);
        browser.click("pause");
        browser.await("document.getElementById('pause').textContent === 'Continue'", 5);
        command("{do: 'request', method: 'POST', path: '/api/v1/namespaces/default/pods', body: {apiVersion: 'v1', kind: 'Pod', "
                + "metadata: {name: 'lesson-steps'}, spec: {containers: [{name: 'a', image: 'b'}]}}}");
        String received = "document.getElementById('log').innerText.includes('received added default/lesson-steps')";
        String stored = "document.getElementById('log').innerText.includes('Store of pods: added default/lesson-steps')";
        browser.await(received, 10);
        if (browser.eval(stored).equals("true")) {
            throw new IllegalStateException("the pod is stored although the demo is paused");
        }
        browser.screenshot(pictures.resolve("paused.png"));
        for (int i = 0; i < 40 && browser.eval(stored).equals("false"); i++) {
            browser.click("step");
            TimeUnit.MILLISECONDS.sleep(300);
        }
        browser.await(stored, 5);
        browser.click("real");
        browser.await("document.getElementById('log').innerText.includes('Worker of viewer is done with default/lesson-steps')", 10);
        browser.eval("(() => { const r = document.getElementById('rewind'); r.value = -6; r.dispatchEvent(new Event('input')); })()");
        browser.await("document.getElementById('when').textContent.endsWith('s ago')", 5);
        browser.screenshot(pictures.resolve("rewound.png"));
        browser.click("step");
        browser.click("real");
        browser.await("document.getElementById('when').textContent === 'live'", 5);
        command("{do: 'reset'}");
    }

    private void command(String body) throws Exception {
        String answer = browser.eval("await (await fetch('live/do', {method: 'POST', headers: {'X-Kubeloop-Page': '1'}, body: "
                + "JSON.stringify(" + body + ")})).text()");
        if (!answer.startsWith("{")) {
            throw new IllegalStateException(body + ": " + answer);
        }
    }

    /** Tab reaches every control in the order of the page; Enter, space and the arrow keys operate them. */
    private void keyboard() throws Exception {
        open(1440, 1200, false);
        List<String> reached = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            browser.press("Tab", 9, "");
            reached.add(browser.eval("document.activeElement.id || document.activeElement.className"));
        }
        for (String wanted : List.of(
                "skip", "pause", "step", "slow", "real", "rewind", "lane", "queue", "lesson-first-event", "fault-gone", "follow", "log")) {
            if (!reached.contains(wanted)) {
                throw new IllegalStateException("Tab does not reach " + wanted + ": " + reached);
            }
        }
        browser.eval("document.getElementById('pause').focus()");
        browser.press("Enter", 13, "\r");
        browser.await("document.getElementById('pause').getAttribute('aria-pressed') === 'true'", 5);
        browser.screenshot(pictures.resolve("keyboard.png"));
        browser.press("Enter", 13, "\r");
        browser.await("document.getElementById('real').getAttribute('aria-pressed') === 'true'", 5);
        browser.eval("document.getElementById('lesson-watch-ends').focus()");
        browser.press("Enter", 13, "\r");
        for (int i = 0; i < 8 && browser.eval("document.getElementById('answer') === null").equals("true"); i++) {
            browser.await("document.activeElement.id === 'next'", 30);
            browser.press("Enter", 13, "\r");
            TimeUnit.MILLISECONDS.sleep(300);
        }
        browser.await("document.getElementById('answer') !== null", 5);
    }

    private void narrow() throws Exception {
        open(375, 2600, false);
        TimeUnit.SECONDS.sleep(1);
        browser.screenshot(pictures.resolve("narrow.png"));
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
        browser.screenshot(pictures.resolve("dark.png"));
        command("{do: 'reset'}");
    }

    private void frames() throws Exception {
        open(1440, 1200, false);
        TimeUnit.SECONDS.sleep(5);
        browser.screenshot(pictures.resolve("frames.png"));
        System.out.println("       " + browser.eval("document.getElementById('state').textContent") + "; "
                + browser.eval("document.getElementById('sample').textContent"));
    }
}
