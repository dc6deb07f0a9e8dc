package ai.hanzo.dev.host.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.sandbox.SearchResult;
import ai.hanzo.dev.sandbox.SearchResult.End;
import ai.hanzo.dev.sandbox.SearchResult.Match;
import java.util.List;
import org.junit.jupiter.api.Test;

class FoundLinesTest {
    private static final Match PLAIN = new Match(Bytes.utf8("a/b"), 3, Bytes.utf8("x = 1"), false);

    @Test
    void eachMatchIsALineWithItsPlace() {
        Match odd =
                new Match(Bytes.wrap(new byte[] {'f', (byte) 0xff}), 12, Bytes.utf8("long"), true);
        assertThat(text(End.WHOLE, 0, PLAIN, odd)).isEqualTo("a/b:3:x = 1\nf\\xff:12:long…\n");
    }

    @Test
    void whatWasLeftOutIsSaid() {
        assertThat(text(End.WHOLE, 0)).isEqualTo("no match\n");
        assertThat(text(End.WHOLE, 2))
                .isEqualTo("no match\n[not searched: 2 too large, too deep or not to be opened]\n");
        assertThat(text(End.LIMIT, 0, PLAIN))
                .isEqualTo("a/b:3:x = 1\n[more matches: narrow the search]\n");
        assertThat(text(End.BYTES, 0, PLAIN)).isEqualTo(text(End.LIMIT, 0, PLAIN));
        assertThat(text(End.TIMED_OUT, 0))
                .isEqualTo("[not all was searched in time: narrow the search]\n");
    }

    private static String text(End end, int unread, Match... matches) {
        return FoundLines.of(new SearchResult(List.of(matches), end, 5, 1, unread));
    }
}
