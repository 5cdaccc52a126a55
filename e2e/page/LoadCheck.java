/* SPDX-License-Identifier: Apache-2.0 */
import java.util.concurrent.TimeUnit;

/** Checks that the page of a loop under load stays smooth, by sampling, and says so. */
final class LoadCheck {

    /** CPU time of the main thread in 95 of 100 frames. A frame at 50 frames/s has 20 ms. */
    private static final double MOST_MILLIS = 20;

    private static final int MOST_TOKENS = 300;
    private static final int MOST_ELEMENTS = 2500;
    private static final int SECONDS = 10;

    private LoadCheck() {}

    public static void main(String[] args) throws Exception {
        Parts.main(args, (browser, url, parts) -> parts.run("load", () -> run(browser, url, parts)));
    }

    private static void run(Browser browser, String url, Parts parts) throws Exception {
        browser.open(url, 1440, 1200, false);
        browser.await("document.querySelectorAll('.stage dd').length > 10", 60);
        browser.await("/sampled: shows 1 of \\d+ objects/.test(document.getElementById('sample').textContent)", 60);
        TimeUnit.SECONDS.sleep(3); // the rates of the boxes are those of the last seconds
        FrameTimes times = FrameTimes.measure(browser, SECONDS);
        System.out.println("       " + times);
        System.out.println("       " + browser.eval("document.getElementById('sample').textContent"));
        parts.picture("load");
        Parts.require(
                times.percentile(95) < MOST_MILLIS,
                "95 of 100 frames need " + times.percentile(95) + " ms of CPU; the limit is " + MOST_MILLIS);
        for (int i = 0; i < 10; i++) {
            int tokens = Integer.parseInt(
                    browser.eval("document.getElementById('sample').textContent.match(/(\\d+) tokens/)[1]"));
            Parts.require(tokens <= MOST_TOKENS, tokens + " tokens are drawn; the limit is " + MOST_TOKENS);
            TimeUnit.MILLISECONDS.sleep(300);
        }
        int elements = Integer.parseInt(browser.eval("document.querySelectorAll('*').length"));
        Parts.require(
                elements <= MOST_ELEMENTS, "the page has " + elements + " elements; the limit is " + MOST_ELEMENTS);
    }
}
