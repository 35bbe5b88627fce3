package io.holdfast.cli.audit;

import io.holdfast.auditor.Finding;
import io.holdfast.auditor.Verdict;
import java.util.List;
import java.util.Locale;

/** The verdict of an audit as a page of HTML that needs nothing beside itself. Stateless. */
final class AuditPage {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Holdfast: audit</title><style>
      :root { color-scheme: light dark }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
      table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
      td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8886; vertical-align: top }
      .good { color: #1a7f37 } .bad { color: #cf222e } @media (prefers-color-scheme: dark) {
      .good { color: #3fb950 } .bad { color: #ff7b72 } }
      </style></head><body><main>
      """;

  private AuditPage() {}

  static String of(List<Verdict> verdicts) {
    StringBuilder page = new StringBuilder(HEAD);
    for (Verdict verdict : verdicts) {
      page.append("<h1>").append(text(verdict.model())).append(": ");
      page.append(
          verdict.clean() ? "<span class=good>as promised" : "<span class=bad>not as promised");
      page.append("</span></h1>\n<table><thead><tr><th>Promise<th>Verdict</thead><tbody>\n");
      for (Finding.Promise promise : Finding.Promise.values()) {
        long broken = AuditCommand.broken(verdict, promise);
        page.append("<tr><td>").append(text(promise.text())).append("<td class=");
        page.append(broken == 0 ? "good>holds" : "bad>broken " + broken + " times").append('\n');
      }
      page.append("</tbody></table>\n<h2>What was looked at</h2>\n<table><tbody>\n");
      verdict
          .counts()
          .forEach(
              (name, count) ->
                  page.append("<tr><th>")
                      .append(text(name))
                      .append("<td>")
                      .append(grouped(count))
                      .append('\n'));
      page.append("</tbody></table>\n<h2>What was not judged</h2>\n<ul>\n");
      verdict.unjudged().forEach(why -> page.append("<li>").append(text(why)).append('\n'));
      page.append("</ul>\n");
      findings(page, verdict);
    }
    return page.append("</main></body></html>\n").toString();
  }

  private static void findings(StringBuilder page, Verdict verdict) {
    if (verdict.clean()) {
      return;
    }
    page.append(
        "<h2>What was found</h2>\n<table><thead><tr><th>Kind<th>Where<th>What</thead><tbody>\n");
    for (Finding finding : verdict.findings()) {
      page.append("<tr><td>").append(finding.kind()).append("<td>").append(text(finding.place()));
      page.append("<td>").append(text(finding.detail())).append('\n');
    }
    page.append("</tbody></table>\n");
  }

  private static String grouped(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String text(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
