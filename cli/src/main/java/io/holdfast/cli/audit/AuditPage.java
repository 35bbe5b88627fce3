package io.holdfast.cli.audit;

import io.holdfast.auditor.Finding;
import io.holdfast.auditor.Verdict;
import io.holdfast.cli.report.Page;
import io.holdfast.cli.report.Page.Cell;
import io.holdfast.cli.report.Page.Tone;
import java.util.ArrayList;
import java.util.List;

/** The verdict of an audit as a page of HTML that needs nothing beside itself. Stateless. */
final class AuditPage {
  private AuditPage() {}

  static String of(List<Verdict> verdicts) {
    long broken = verdicts.stream().filter(verdict -> !verdict.clean()).count();
    Page page = new Page("Holdfast: audit", "Audit of " + verdicts.size() + " models", "");
    page.verdict(
        broken == 0 ? Tone.GOOD : Tone.BAD,
        List.of(broken == 0 ? "All is as promised." : "Not as promised: " + broken + " models."));
    for (Verdict verdict : verdicts) {
      page.section(
          verdict.model() + ": " + (verdict.clean() ? "as promised" : "not as promised"), "");
      List<List<Object>> promises = new ArrayList<>();
      for (Finding.Promise promise : Finding.Promise.values()) {
        long times = AuditCommand.broken(verdict, promise);
        Cell cell =
            times == 0
                ? new Cell("holds", Tone.GOOD)
                : new Cell("broken " + times + " times", Tone.BAD);
        promises.add(List.of(promise.text(), cell));
      }
      page.words(List.of("Promise", "Verdict"), promises);
      List<List<String>> findings =
          verdict.findings().stream()
              .map(one -> List.of(String.valueOf(one.kind()), one.place(), one.detail()))
              .toList();
      if (!findings.isEmpty()) {
        page.words(List.of("What was found", "where", "what"), findings);
      }
      List<List<String>> counts = new ArrayList<>();
      verdict.counts().forEach((name, count) -> counts.add(List.of(name, Page.number(count))));
      page.numbers(List.of("What was looked at", "count"), counts);
      page.words(
          List.of("What was not judged"), verdict.unjudged().stream().map(List::of).toList());
    }
    return page.html();
  }
}
