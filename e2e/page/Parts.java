/* SPDX-License-Identifier: Apache-2.0 */
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The parts of a check: runs those that were chosen, and collects their failures and pictures. */
final class Parts {

    private final Browser browser;
    private final Path pictures;
    private final List<String> wanted;
    private final List<String> failures = new ArrayList<>();

    /** A part of a check; an {@link IllegalStateException} is a failure. */
    interface Part {
        void run() throws Exception;
    }

    /** A check of one page. */
    interface Check {
        void run(Browser browser, String url, Parts parts) throws Exception;
    }

    private Parts(Browser browser, Path pictures, List<String> wanted) {
        this.browser = browser;
        this.pictures = pictures;
        this.wanted = wanted;
    }

    /**
     * Runs a check with the arguments {@code CHROMIUM URL PICTURES [PART]...}; without parts, all of them. Ends the
     * process.
     */
    static void main(String[] args, Check check) throws Exception {
        boolean passed;
        try (Browser browser = new Browser(args[0])) {
            Parts parts = new Parts(
                    browser,
                    Files.createDirectories(Path.of(args[2])),
                    Arrays.asList(args).subList(3, args.length));
            check.run(browser, args[1], parts);
            browser.complaints().forEach(complaint -> System.out.println("FAILED " + complaint));
            passed = parts.failures.isEmpty() && browser.complaints().isEmpty();
        }
        System.exit(passed ? 0 : 1); // not before the browser is closed
    }

    /** Returns the chosen parts. */
    List<String> wanted() {
        return wanted;
    }

    /** Runs a part if it was chosen, or no part was. */
    void run(String name, Part part) throws Exception {
        if (wanted.isEmpty() || wanted.contains(name)) {
            try {
                part.run();
                System.out.println("ok     " + name);
            } catch (IllegalStateException e) {
                fail(name, e);
            }
        }
    }

    void fail(String name, IllegalStateException e) throws Exception {
        failures.add(name + ": " + e.getMessage());
        System.out.println("FAILED " + name + ": " + e.getMessage());
        picture("failed-" + name);
    }

    /** Keeps a picture of the whole page. */
    void picture(String name) throws Exception {
        browser.screenshot(file(name + ".png"));
    }

    Path file(String name) {
        return pictures.resolve(name);
    }

    /** Fails unless a condition holds. */
    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
