package io.holdfast.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A page of HTML that needs nothing beside itself, written from top to bottom. Owned by one thread;
 * one use.
 */
public final class Page {
  private static final int CHUNK = 100;

  private final String title;
  private final StringBuilder head = new StringBuilder();
  private final StringBuilder body = new StringBuilder();
  private final List<String> sections = new ArrayList<>();
  private boolean open;

  /** What a sentence or figure says of what it is about. */
  public enum Tone {
    PLAIN(""),
    GOOD("good"),
    WARN("warn"),
    BAD("bad");

    private final String style;

    Tone(String style) {
      this.style = style;
    }
  }

  /** A cell of a table that is set off from others. */
  public record Cell(String text, Tone tone) {}

  /** A page of that title; {@code facts} stand below it. */
  public Page(String title, String heading, String facts) {
    this.title = title;
    head.append("<p class=brand>").append(text(title)).append("</p><h1>").append(text(heading));
    head.append("</h1><p class=muted>").append(text(facts)).append("</p>");
  }

  /** A figure as people read it: four digits. */
  public static String number(double value) {
    if (!Double.isFinite(value)) {
      return "–";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return number((long) value);
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(4));
    return Math.abs(value) >= 1e-5 && Math.abs(value) < 1e9
        ? rounded.stripTrailingZeros().toPlainString()
        : rounded.toString();
  }

  /** A count, with its thousands apart. */
  public static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Text with nothing in it that HTML reads as its own. */
  public static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** What a reader is to take home, a sentence first. */
  public Page verdict(Tone tone, List<String> sentences) {
    close();
    body.append("<section class=\"verdict ").append(tone.style).append("\" aria-label=Verdict>");
    sentences.forEach(this::paragraph);
    body.append("</section>\n");
    return this;
  }

  /** Begins a section. */
  public Page section(String heading, String note) {
    close();
    open = true;
    sections.add(heading);
    body.append("<section id=s").append(sections.size()).append("><h2>");
    body.append(text(heading)).append("</h2>");
    if (!note.isEmpty()) {
      body.append("<p class=note>").append(text(note)).append("</p>");
    }
    return this;
  }

  public Page paragraph(String sentence) {
    body.append("<p>").append(text(sentence)).append("</p>");
    return this;
  }

  /** What can be opened. */
  public Page folded(String summary, Runnable content) {
    body.append("<details><summary>").append(text(summary)).append("</summary>");
    content.run();
    body.append("</details>\n");
    return this;
  }

  /** What stands side by side where there is room. */
  public Page grid(Runnable content) {
    body.append("<div class=grid>");
    content.run();
    body.append("</div>");
    return this;
  }

  public Page chart(Chart chart) {
    body.append(chart.html());
    return this;
  }

  /** What is HTML already. */
  public Page raw(String html) {
    body.append(html);
    return this;
  }

  /** A table of figures; a row is headed by its first cell. Long ones are folded, part by part. */
  public Page numbers(List<String> header, List<? extends List<?>> rows) {
    if (rows.size() <= CHUNK + CHUNK / 2) {
      body.append(table("numbers", header, rows));
      return this;
    }
    for (int from = 0; from < rows.size(); from += CHUNK) {
      var part = rows.subList(from, Math.min(rows.size(), from + CHUNK));
      folded(
          header.getFirst() + " " + part.getFirst().getFirst() + " to " + part.getLast().getFirst(),
          () -> body.append(table("numbers", header, part)));
    }
    return this;
  }

  /** A table of words. */
  public Page words(List<String> header, List<? extends List<?>> rows) {
    body.append(table("words", header, rows));
    return this;
  }

  static String table(String style, List<String> header, List<? extends List<?>> rows) {
    StringBuilder table = new StringBuilder("<div class=wide><table class=").append(style);
    table.append("><thead><tr>");
    header.forEach(name -> table.append("<th scope=col>").append(text(name)));
    table.append("</thead><tbody>");
    for (List<?> row : rows) {
      table.append("<tr><th scope=row>").append(text(String.valueOf(row.getFirst())));
      for (Object cell : row.subList(1, row.size())) {
        if (cell instanceof Cell(String said, Tone tone) && tone != Tone.PLAIN) {
          table.append("<td class=").append(tone.style).append('>').append(text(said));
        } else {
          String said = cell instanceof Cell marked ? marked.text() : String.valueOf(cell);
          table.append("<td>").append(text(said));
        }
      }
    }
    return table.append("</table></div>\n").toString();
  }

  private void close() {
    if (open) {
      body.append("</section>\n");
    }
    open = false;
  }

  /** The page. */
  public String html() {
    close();
    StringBuilder contents = new StringBuilder();
    for (int k = 0; k < sections.size(); k++) {
      contents.append("<a href=\"#s").append(k + 1).append("\">");
      contents.append(text(sections.get(k))).append("</a>");
    }
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
    'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
    <link rel="icon" href="data:,">
    """
        + ("<title>" + text(title) + "</title>\n<style>" + resource("page.css"))
        + "</style></head>\n<body><a class=skip href=\"#main\">Skip to the results</a><header>"
        + (head + "<nav aria-label=Sections>" + contents + "</nav></header>\n<main id=main>")
        + (body + "<footer>Made by Holdfast. --json has every figure in full.</footer></main>")
        + ("\n<script>" + resource("page.js") + "</script></body></html>\n");
  }

  private static String resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the program's own file cannot be read: " + name, e);
    }
  }
}
