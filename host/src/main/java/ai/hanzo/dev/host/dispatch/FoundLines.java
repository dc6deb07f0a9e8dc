package ai.hanzo.dev.host.dispatch;

import ai.hanzo.dev.host.model.Printable;
import ai.hanzo.dev.sandbox.SearchResult;

/** What a search found, as the model reads it: path:line:text, and what was left out. Pure. */
final class FoundLines {
    private FoundLines() {}

    static String of(SearchResult found) {
        StringBuilder text = new StringBuilder();
        for (SearchResult.Match match : found.matches()) {
            text.append(Printable.text(match.path())).append(':').append(match.line()).append(':');
            text.append(Printable.text(match.text())).append(match.isCut() ? "…\n" : "\n");
        }
        text.append(
                switch (found.end()) {
                    case WHOLE -> found.matches().isEmpty() ? "no match\n" : "";
                    case LIMIT, BYTES -> "[more matches: narrow the search]\n";
                    case TIMED_OUT -> "[not all was searched in time: narrow the search]\n";
                });
        if (found.unreadFiles() > 0) {
            text.append("[not searched: ").append(found.unreadFiles());
            text.append(" too large, too deep or not to be opened]\n");
        }
        return text.toString();
    }
}
