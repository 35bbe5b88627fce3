package io.holdfast.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.assertj.core.data.Offset;

/** The tables behind a page's charts: captions, and rows of cells. */
record PageFigures(List<Figure> figures) {
  private static final Pattern FIGURE = Pattern.compile("(?s)<figure>(.*?)</figure>");
  private static final Pattern ROW = Pattern.compile("<tr><th scope=row>(.*?)(?=<tr>|</table>)");

  record Figure(String caption, String html, List<List<String>> rows) {}

  static PageFigures of(String page) {
    List<Figure> figures = new ArrayList<>();
    Matcher figure = FIGURE.matcher(page);
    while (figure.find()) {
      String html = requireNonNull(figure.group(1));
      String caption = html.replaceAll("(?s)</figcaption>.*|<.*?>", "").strip();
      List<List<String>> rows = new ArrayList<>();
      Matcher row = ROW.matcher(html);
      while (row.find()) {
        rows.add(List.of(requireNonNull(row.group(1)).split("<td[^>]*>", -1)));
      }
      figures.add(new Figure(caption, html, rows));
    }
    assertThat(figures)
        .as("each chart has its unit, a drawing and a table")
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.html()).contains("<span>", "<svg", "<path", "<table"));
    return new PageFigures(figures);
  }

  /** The column that an array of numbers, or of objects with such a figure, was drawn from. */
  void haveTheNumbersOf(String caption, JsonNode array, String... figure) {
    List<Double> expected = new ArrayList<>();
    array.forEach(one -> expected.add((figure.length > 0 ? one.path(figure[0]) : one).asDouble()));
    assertThat(expected).isNotEmpty();
    assertThat(figures)
        .filteredOn(one -> one.caption().toLowerCase(Locale.ROOT).contains(caption))
        .as(caption)
        .anySatisfy(
            one -> {
              assertThat(one.rows()).hasSize(expected.size());
              int column = figure.length > 0 && figure[0].equals("predicted") ? 0 : 1;
              for (int k = 0; k < expected.size(); k++) {
                double shown = Double.parseDouble(one.rows().get(k).get(column).replace(",", ""));
                assertThat(shown).isCloseTo(expected.get(k), within(expected.get(k)));
              }
            });
  }

  private static Offset<Double> within(double value) {
    return Assertions.within(1e-3 * Math.abs(value) + 1e-12);
  }
}
