package io.holdfast.trainer.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.learn.NewVersion;
import io.holdfast.trainer.learn.RowSource;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RebuildTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(7));

  private final List<LabelledRow> log = ExampleStream.rows(3, 400, 3, 5);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gamma=5",
        "gamma=auto",
        "ladder.gammas=1,4,9",
        "ladder.gammas=1,4,9&ladder.serve=adaptive",
        "ladder.gammas=1,4,9&ladder.serve=adaptive&update.policy=decay",
        "ladder.gammas=1,4,9&ladder.serve=adaptive&update.policy=refit",
        "ladder.gammas=1,4,9&ladder.serve=adaptive&update.policy=replace&gamma=auto",
        "objective=absolute",
        "trees.sampling.rows=0.7",
        "window.memoryWindows=2",
        "window.memoryRows=0",
        "window.environments=5",
        "update.maxTrees=7",
        "update.keepBins=false",
        "trees.maxBins=7",
        "window.rows=7",
        "update.policy=decay",
        "update.policy=refit",
        "update.policy=replace",
        "update.policy=auto",
        "drift.action=report",
        "drift.action=shorten&window.memoryRows=0",
        "drift.action=replace&update.policy=replace&window.rows=7",
        "drift.action=report&update.policy=auto",
        "drift.action=report&window.rows=20&window.memoryRows=90",
        "drift.action=shorten&window.rows=9&update.policy=decay",
        "drift.action=replace&window.rows=7&window.memoryRows=200&update.policy=auto",
        "drift.action=report&window.rows=20&update.gate=better",
        "threads=3"
      })
  void versions_trainedAgain_haveTheHashesTheyHad(String changes) {
    Map<String, String> values = new HashMap<>();
    values.put("trees.maxBins", "5"); // fewer than a window has values, so that they are kept
    for (String change : changes.split("&", -1)) {
      String[] keyAndValue = change.split("=", -1);
      values.put(keyAndValue[0], keyAndValue[1]);
    }
    ModelSettings settings = ExampleStream.settings(values);
    List<LedgerVersion> versions = versions(settings);
    assertThat(versions).hasSizeGreaterThan(4);
    boolean keepsBins = settings.update().upkeep().keepBins();
    assertThat(versions.subList(1, versions.size()))
        .allMatch(version -> (version.manifest().getBins() != null) == keepsBins);

    assertThat(versions.getLast().manifest().getReference() != null)
        .isEqualTo(changes.contains("drift"));

    for (int i = 0; i < versions.size(); i++) {
      Rebuild.Result result = rebuild(versions, i, row -> true);
      assertThat(result.differences()).isEmpty();
      assertThat(result.same()).isTrue();
      assertThat(result.version()).isEqualTo(i);
    }
  }

  @Test
  void version_whoseRowsAreGone_isSaidToLackThem() {
    List<LedgerVersion> versions = versions(ExampleStream.settings(Map.of()));

    Rebuild.Result result =
        rebuild(versions, 2, row -> row.position().partition() > 0 || row.position().offset() > 1);

    assertThat(result.same()).isFalse();
    assertThat(result.differences())
        .contains("Offsets 0 to 1 of m.examples-0 are gone from the log.")
        .anyMatch(sentence -> sentence.matches("Of its 40 rows .* 38 can be read .*"))
        .anyMatch(sentence -> sentence.startsWith("Of the segments, 2 stored and 2 rebuilt, "));
  }

  @Test
  void version_whoseRowsWereChanged_isSaidToDifferInWhatTheyReach() {
    List<LedgerVersion> versions = versions(ExampleStream.settings(Map.of()));
    log.replaceAll(
        row ->
            ExampleStream.row(
                row.position(),
                ExampleStream.record(0.5, row.position().offset() == 0 ? "violet" : "red"),
                row.label(),
                row.environment(),
                0));

    Rebuild.Result result = rebuild(versions, 1, row -> true);

    assertThat(result.same()).isFalse();
    assertThat(result.differences())
        .anyMatch(sentence -> sentence.startsWith("Of the categories of color, "))
        .anyMatch(sentence -> sentence.contains("violet"))
        .anyMatch(sentence -> sentence.startsWith("The metric anchorLossAfter is "))
        .noneMatch(sentence -> sentence.contains("gone"));
  }

  private Rebuild.Result rebuild(
      List<LedgerVersion> versions, int index, Predicate<LabelledRow> there) {
    return Rebuild.of(
        versions.get(index),
        index == 0 ? null : versions.get(index - 1),
        ExampleStream.framing(),
        cuts -> found(cuts, there));
  }

  private RowSource.Found found(SortedMap<Integer, Window.Cut> cuts, Predicate<LabelledRow> there) {
    List<LabelledRow> rows = new ArrayList<>();
    TreeMap<Integer, Window.Cut> gone = new TreeMap<>();
    for (LabelledRow row : log) {
      Position at = row.position();
      Window.Cut cut = cuts.get(at.partition());
      if (cut != null && cut.from() <= at.offset() && at.offset() < cut.to()) {
        if (there.test(row)) {
          rows.add(row);
        } else {
          gone.put(at.partition(), new Window.Cut(cut.from(), at.offset() + 1));
        }
      }
    }
    return new RowSource.Found(rows, gone);
  }

  private List<LedgerVersion> versions(ModelSettings settings) {
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    Ledger ledger = new Ledger();
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    core.apply(begun);
    List<LedgerVersion> versions = new ArrayList<>(List.of(read(ledger, begun.version())));
    for (LabelledRow row : log) {
      assertThat(core.add(row)).isEmpty();
      core.completeWindow()
          .ifPresent(
              window -> {
                TrainerEvent.Concluded concluded = core.decide(window, TIME);
                core.apply(concluded);
                if (concluded.outcome() instanceof TrainerEvent.Outcome.Trained trained) {
                  versions.add(read(ledger, trained.version()));
                }
              });
    }
    return versions;
  }

  /** The version as it stands on the topic. */
  private static LedgerVersion read(Ledger ledger, NewVersion published) {
    published
        .encoded()
        .records()
        .forEach(record -> ledger.apply(record.key().toString(), record.value()));
    try {
      return ledger.version("m", published.version().number());
    } catch (LedgerException e) {
      throw new AssertionError(e);
    }
  }
}
