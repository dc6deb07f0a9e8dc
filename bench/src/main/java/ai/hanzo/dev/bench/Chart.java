package ai.hanzo.dev.bench;

import java.util.List;
import java.util.Locale;

/** One bar for each measure and engine, as SVG. The scale is logarithmic: 0.1 µs to 1 ms. */
final class Chart {
    private static final String[] COLOURS = {"#d9480f", "#f4a261", "#2a9d8f", "#457b9d", "#8d99ae"};
    private static final int LEFT = 190;
    private static final int WIDTH = 560;
    private static final int BAR = 11;
    private static final int GAP = 14;
    private static final int TOP = 50;
    private static final double LEAST_LOG = 2;
    private static final double MOST_LOG = 6;

    private Chart() {}

    static String draw(List<Engine> engines, Timings timings) {
        var svg = new StringBuilder();
        int group = engines.size() * BAR + GAP;
        int height = TOP + Measure.ALL.size() * group + 30;
        svg.append(
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='11'>%n"
                        .formatted(LEFT + WIDTH + 60, height));
        svg.append("<rect width='100%' height='100%' fill='white'/>\n");
        legend(svg, engines);
        grid(svg, height);
        int y = TOP;
        for (Measure measure : Measure.ALL) {
            text(svg, LEFT - 8, y + group / 2 - 3, "end", measure.title());
            for (int i = 0; i < engines.size(); i++) {
                bar(svg, y + i * BAR, timings.nanos(measure, i).orElse(0), COLOURS[i % 5]);
            }
            y += group;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void legend(StringBuilder svg, List<Engine> engines) {
        for (int i = 0; i < engines.size(); i++) {
            int x = LEFT + i * 120;
            svg.append(
                    "<rect x='%d' y='14' width='10' height='10' fill='%s'/>%n"
                            .formatted(x, COLOURS[i % 5]));
            text(svg, x + 15, 23, "start", engines.get(i).name());
        }
    }

    private static void grid(StringBuilder svg, int height) {
        String[] labels = {"0.1 µs", "1 µs", "10 µs", "100 µs", "1 ms"};
        for (int i = 0; i < labels.length; i++) {
            int x = LEFT + i * WIDTH / (labels.length - 1);
            svg.append(
                    "<line x1='%d' y1='%d' x2='%d' y2='%d' stroke='#ddd'/>%n"
                            .formatted(x, TOP - 8, x, height - 24));
            text(svg, x, height - 8, "middle", labels[i]);
        }
    }

    private static void bar(StringBuilder svg, int y, double nanos, String colour) {
        double share = (Math.log10(Math.max(nanos, 1)) - LEAST_LOG) / (MOST_LOG - LEAST_LOG);
        long width = Math.round(Math.clamp(share, 0.002, 1) * WIDTH);
        svg.append(
                "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>%n"
                        .formatted(LEFT, y, width, BAR - 1, colour));
        text(
                svg,
                (int) (LEFT + width + 4),
                y + BAR - 2,
                "start",
                String.format(Locale.ROOT, "%.2f", nanos / 1_000));
    }

    private static void text(StringBuilder svg, int x, int y, String anchor, String text) {
        svg.append(
                "<text x='%d' y='%d' text-anchor='%s'>%s</text>%n".formatted(x, y, anchor, text));
    }
}
