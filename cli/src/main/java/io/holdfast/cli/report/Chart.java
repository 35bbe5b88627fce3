package io.holdfast.cli.report;

import static io.holdfast.cli.report.Page.number;
import static io.holdfast.cli.report.Page.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A drawing with a legend, units and the table that it is drawn from. Immutable. */
public sealed interface Chart {
  /** The drawing as HTML with SVG in it. */
  String html();

  /** How a line looks: a model's, a baseline's, or one of what was expected. */
  enum Look {
    SOLID(""),
    DOTS(""),
    DASHED("dash"),
    BASELINE("base"),
    OTHER_BASELINE("base2");

    private final String style;

    Look(String style) {
      this.style = style;
    }

    private boolean baseline() {
      return this == BASELINE || this == OTHER_BASELINE;
    }
  }

  /** Values at each x; NaN where there is none. Bounds are empty if there are none. */
  record Line(String name, Look look, List<Double> values, List<Double> lower, List<Double> upper) {
    public Line(String name, Look look, List<Double> values) {
      this(name, look, values, List.of(), List.of());
    }
  }

  /** Lines over numbers, which ascend. */
  record Lines(String title, String unit, String xUnit, List<Double> x, List<Line> lines)
      implements Chart {
    private static final int COLOURS = 8;
    private static final int TICKS = 4;

    /** The scale of an axis. */
    private record Axis(double least, double most) {
      static Axis of(DoubleStream values) {
        double[] finite = values.filter(Double::isFinite).toArray();
        double least = DoubleStream.of(finite).min().orElse(0);
        double most = DoubleStream.of(finite).max().orElse(1);
        double room = most > least ? 0 : Math.max(1e-9, Math.abs(most) / 10);
        return new Axis(least - room, most + room);
      }

      double share(double value) {
        return (value - least) / (most - least);
      }

      /** The distance of ticks: 1, 2 or 5 times a power of ten. */
      private double step() {
        double rough = (most - least) / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
      }

      double[] ticks() {
        double step = step();
        return LongStream.rangeClosed(
                (long) Math.ceil(least / step - 1e-9), (long) Math.floor(most / step + 1e-9))
            .mapToDouble(k -> k * step)
            .toArray();
      }

      /** A tick with the digits that tell it from the next. */
      String said(double tick) {
        int digits = (int) Math.max(0, -Math.floor(Math.log10(step()) + 1e-9));
        return digits > 6
            ? number(tick)
            : String.format(Locale.ROOT, "%,." + digits + "f", tick + 0.0);
      }
    }

    @Override
    public String html() {
      Axis across = Axis.of(x.stream().mapToDouble(at -> at));
      Axis up =
          Axis.of(
              lines.stream()
                  .flatMapToDouble(
                      line ->
                          List.of(line.values(), line.lower(), line.upper()).stream()
                              .flatMapToDouble(all -> all.stream().mapToDouble(one -> one))));
      StringBuilder html = new StringBuilder("<figure><figcaption>").append(text(title));
      html.append(" <span>").append(text(unit)).append("</span></figcaption>").append(key());
      html.append("<div class=plot tabindex=0 role=img aria-label=\"").append(text(title));
      html.append(", ").append(text(unit)).append(" by ").append(text(xUnit));
      html.append("; the arrow keys read it out\" data-x=\"");
      for (int k = 0; k < x.size(); k++) {
        html.append(k == 0 ? "" : " ").append(place(1000 * across.share(x.get(k))));
      }
      html.append("\"><div class=ys>");
      StringBuilder rules = new StringBuilder();
      for (double at : up.ticks()) {
        double share = up.share(at);
        String said = up.said(at);
        html.append("<u>").append(said).append("</u><i style=bottom:").append(place(100 * share));
        html.append("%>").append(said).append("</i>");
        rules
            .append("<path class=rule d=\"M0 ")
            .append(place(100 - 100 * share))
            .append("H1000\"/>");
      }
      html.append("</div><svg viewBox=\"0 0 1000 100\" preserveAspectRatio=none>").append(rules);
      for (int k = lines.size() - 1; k >= 0; k--) { // the first lies on top
        html.append(drawn(lines.get(k), k, across, up));
      }
      html.append("<path class=\"rule at\" d=\"\"/></svg><div class=xs>");
      for (double at : across.ticks()) {
        double share = across.share(at);
        html.append(share > 0.95 ? "<i class=last" : "<i style=left:" + place(100 * share) + "%");
        html.append('>');
        html.append(across.said(at)).append("</i>");
      }
      html.append("</div><div class=unit>").append(text(xUnit)).append("</div></div>");
      html.append("<p class=read aria-live=polite></p><details><summary>The numbers</summary>");
      return html.append(table()).append("</details></figure>\n").toString();
    }

    private static String place(double value) {
      String said = String.format(Locale.ROOT, "%.1f", value);
      return said.endsWith(".0") ? said.substring(0, said.length() - 2) : said;
    }

    private static String colour(Look look, int k) {
      return look.baseline() ? "" : " style=--c:var(--s" + k % COLOURS + ")";
    }

    private static String style(Look look, int k) {
      return look == Look.SOLID && k >= COLOURS ? Look.DASHED.style : look.style;
    }

    private String key() {
      StringBuilder key = new StringBuilder("<ul class=key>");
      for (int k = 0; k < lines.size(); k++) {
        Line line = lines.get(k);
        key.append("<li><svg viewBox=\"0 0 26 10\" aria-hidden=true><path class=\"");
        key.append(style(line.look(), k)).append('"').append(colour(line.look(), k));
        key.append(" d=M0,5H26 /></svg>").append(text(line.name()));
        key.append(line.lower().isEmpty() ? "" : ", with its interval");
      }
      return key.append("</ul>").toString();
    }

    private String drawn(Line line, int k, Axis across, Axis up) {
      StringBuilder html = new StringBuilder();
      if (!line.lower().isEmpty()) {
        StringBuilder area = new StringBuilder();
        for (int at = 0; at < x.size(); at++) {
          area.append(at == 0 ? 'M' : 'L').append(point(at, line.lower(), across, up));
        }
        for (int at = x.size() - 1; at >= 0; at--) {
          area.append('L').append(point(at, line.upper(), across, up));
        }
        html.append("<path class=area").append(colour(line.look(), k)).append(" d=\"");
        html.append(area).append("Z\"/>");
      }
      StringBuilder path = new StringBuilder();
      StringBuilder dots = new StringBuilder();
      boolean down = false;
      for (int at = 0; at < x.size(); at++) {
        if (!Double.isFinite(line.values().get(at))) {
          down = false;
          continue;
        }
        String point = point(at, line.values(), across, up);
        path.append(down ? 'L' : 'M').append(point);
        dots.append('M').append(point).append("h0");
        down = true;
      }
      html.append("<path class=\"").append(style(line.look(), k)).append('"');
      html.append(colour(line.look(), k)).append(" d=\"").append(path).append("\"/>");
      if (line.look() == Look.DOTS) {
        html.append("<path class=dot").append(colour(line.look(), k)).append(" d=\"");
        html.append(dots).append("\"/>");
      }
      return html.toString();
    }

    private String point(int at, List<Double> values, Axis across, Axis up) {
      double value = values.get(at);
      return place(1000 * across.share(x.get(at)))
          + " "
          + place(Double.isFinite(value) ? 100 - 100 * up.share(value) : 100);
    }

    private String table() {
      List<String> header = new ArrayList<>(List.of(xUnit));
      for (Line line : lines) {
        header.add(line.name());
        if (!line.lower().isEmpty()) {
          header.addAll(List.of("from", "to"));
        }
      }
      List<List<String>> rows = new ArrayList<>();
      for (int at = 0; at < x.size(); at++) {
        List<String> row = new ArrayList<>(List.of(number(x.get(at))));
        for (Line line : lines) {
          row.add(number(line.values().get(at)));
          if (!line.lower().isEmpty()) {
            row.add(number(line.lower().get(at)));
            row.add(number(line.upper().get(at)));
          }
        }
        rows.add(row);
      }
      return Page.table("numbers", header, rows);
    }
  }

  /** A value of something with a name, and an interval if it has one. */
  record Bar(String name, double value, @Nullable Double lower, @Nullable Double upper) {}

  /** Values side by side, as bars from 0 or as dots. */
  record Bars(String title, String unit, boolean fromZero, List<Bar> bars) implements Chart {
    @Override
    public String html() {
      double least = fromZero ? 0 : Double.POSITIVE_INFINITY;
      double most = fromZero ? 0 : Double.NEGATIVE_INFINITY;
      boolean intervals = false;
      List<List<String>> rows = new ArrayList<>();
      for (Bar bar : bars) {
        double lower = bar.lower() == null ? bar.value() : bar.lower();
        double upper = bar.upper() == null ? bar.value() : bar.upper();
        intervals |= bar.lower() != null;
        least = Math.min(least, Math.min(lower, bar.value()));
        most = Math.max(most, Math.max(upper, bar.value()));
        rows.add(List.of(bar.name(), number(bar.value()), number(lower), number(upper)));
      }
      double width = most > least ? most - least : 1;
      StringBuilder html = new StringBuilder("<figure><figcaption>").append(text(title));
      html.append(" <span>").append(text(unit));
      html.append(intervals ? ", with its interval" : "").append("</span></figcaption>");
      html.append("<div class=bars role=img aria-label=\"").append(text(title)).append(", ");
      html.append(text(unit)).append("; the table below has the numbers\">");
      for (Bar bar : bars) {
        html.append("<span>").append(text(bar.name())).append("</span>");
        html.append(drawn(bar, least, width)).append("<i>").append(number(bar.value()));
        html.append("</i>");
      }
      html.append("</div><details><summary>The numbers</summary>");
      html.append(
          Page.table(
              "numbers",
              intervals ? List.of("", unit, "from", "to") : List.of("", unit),
              intervals ? rows : rows.stream().map(row -> row.subList(0, 2)).toList()));
      return html.append("</details></figure>\n").toString();
    }

    private String drawn(Bar bar, double least, double width) {
      String value = place((bar.value() - least) / width);
      String zero = place(-least / width);
      StringBuilder svg =
          new StringBuilder("<svg viewBox=\"0 0 1000 10\" preserveAspectRatio=none>");
      svg.append("<path class=rule d=\"M0 5H1000\"/>");
      if (fromZero) {
        svg.append("<path class=bar style=--c:var(--s0) d=\"M").append(zero).append(" 1V9H");
        svg.append(value).append("V1Z\"/>");
      }
      if (bar.lower() != null && bar.upper() != null) {
        svg.append("<path class=span d=\"M").append(place((bar.lower() - least) / width));
        svg.append(" 5H").append(place((bar.upper() - least) / width)).append("\"/>");
      }
      if (!fromZero) {
        svg.append("<path class=dot style=--c:var(--s0) d=\"M").append(value).append(" 5h0\"/>");
      }
      return svg.append("</svg>").toString();
    }

    private static String place(double share) {
      return String.format(Locale.ROOT, "%.0f", 1000 * share);
    }
  }
}
