package io.holdfast.trainer.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.rebuild.Rebuild;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Served;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What serves before the first window is full. */
class ColdStartTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.EPOCH);
  private static final double[] ANY = {0.5, 0};

  private final List<LabelledRow> log = ExampleStream.rows(7, 500, 2);

  private static ModelSettings settings(String... changes) {
    Map<String, String> values = new HashMap<>(Map.of("window.rows", "400"));
    for (String change : changes) {
      String[] keyAndValue = change.split("=", -1);
      values.put(keyAndValue[0], keyAndValue[1]);
    }
    return ExampleStream.settings(values);
  }

  /** What comes of the rows, with the number of rows that had come. */
  private record Published(int rows, LedgerVersion version, boolean provisional) {}

  private List<Published> published(ModelSettings settings, int rows) {
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    core.apply(core.begin(ExampleStream.SCHEMA, TIME));
    List<Published> published = new ArrayList<>();
    published.add(new Published(0, core.tip(), false));
    feed(core, log.subList(0, rows), published);
    return published;
  }

  private static void feed(TrainerCore core, List<LabelledRow> rows, List<Published> published) {
    for (int row = 0; row < rows.size(); row++) {
      int come = row + 1;
      assertThat(core.add(rows.get(row))).isEmpty();
      Optional<TrainerEvent.Provisional> constant = core.provisional(TIME);
      constant.ifPresent(
          event -> {
            assertThat(event.rows()).isEqualTo(come);
            core.apply(event);
            published.add(new Published(come, core.tip(), true));
          });
      core.completeWindow()
          .ifPresent(
              window -> {
                core.apply(core.decide(window, TIME));
                published.add(new Published(come, core.tip(), false));
              });
    }
  }

  private double meanLabel(int rows) {
    return log.subList(0, rows).stream().mapToDouble(LabelledRow::label).average().orElseThrow();
  }

  @Test
  void bestConstantSoFar_serves_untilTheFirstWindowHasEveryRow() {
    List<Published> all = published(settings(), 450);

    assertThat(all).extracting(Published::rows).containsExactly(0, 5, 20, 80, 400);
    assertThat(all).extracting(one -> one.version().number()).containsExactly(0L, 1L, 2L, 3L, 4L);
    for (Published one : all.subList(1, 4)) {
      assertThat(one.provisional()).isTrue();
      assertThat(one.version().model().trees()).isZero();
      assertThat(Scorer.of(one.version().model()).score(ANY))
          .isCloseTo(meanLabel(one.rows()), within(1e-12));
      assertThat(one.version().manifest().getWindow()).isEmpty();
    }
    LedgerVersion first = all.getLast().version();
    assertThat(first.model().trees()).isPositive();
    assertThat(first.manifest().getMetrics()).containsEntry("rows", 400.0);
    assertThat(first.manifest().getParentHash().bytes())
        .isEqualTo(all.get(3).version().hash().bytes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "objective=logistic",
        "objective=poisson",
        "objective=absolute",
        "objective=ordinal&classes=3",
        "objective=softmax&classes=3",
        "base=linear",
        "gamma=auto&ladder.gammas=1,4&ladder.serve=4",
        "update.policy=refit",
        "update.policy=replace",
        "update.policy=auto",
        "update.gate=better"
      })
  void everyVersion_canBeRebuilt(String changes) throws LedgerException {
    ModelSettings settings = settings(changes.split("&", -1));
    List<LabelledRow> classes = new ArrayList<>();
    for (LabelledRow row : log) {
      classes.add(
          new LabelledRow(
              row.position(),
              row.record(),
              settings.booster().objective().classes() == 2
                  ? row.label() > 2 ? 1 : 0
                  : Math.clamp(Math.round(row.label()), 0, 2),
              1,
              row.environment(),
              new Served(
                  new double[settings.booster().objective().outputs()], 0, row.served().hash())));
    }
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    Ledger ledger = new Ledger();
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    core.apply(begun);
    List<LedgerVersion> versions = new ArrayList<>();
    versions.add(read(ledger, begun.version()));
    for (LabelledRow row : classes) {
      assertThat(core.add(row)).isEmpty();
      core.provisional(TIME)
          .ifPresent(
              event -> {
                core.apply(event);
                versions.add(read(ledger, event.version()));
              });
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
    assertThat(versions).hasSize(5);
    for (int i = 0; i < versions.size(); i++) {
      Rebuild.Result result =
          Rebuild.of(
              versions.get(i),
              i == 0 ? null : versions.get(i - 1),
              ExampleStream.framing(),
              ExampleStream.source(classes));
      assertThat(result.differences()).isEmpty();
      assertThat(result.same()).isTrue();
    }
    if (changes.contains("ladder")) {
      assertThat(versions.getLast().servedGamma()).isEqualTo(4);
    }
  }

  private static LedgerVersion read(Ledger ledger, NewVersion published) {
    published.records().forEach(record -> ledger.apply(record.key().toString(), record.value()));
    try {
      return ledger.version("m", published.version().number());
    } catch (LedgerException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 6, 19, 20, 100, 399})
  void trainerThatBeginsAnew_afterAnyRow_goesOnAsIfNothingHadBeen(int rows) {
    List<Published> undisturbed = published(settings(), 450);
    List<Published> before = published(settings(), rows);
    LedgerVersion tip = before.getLast().version();
    TrainerCore core = new TrainerCore(settings(), ExampleStream.framing());
    core.resume(
        Standing.first(tip, Instant.EPOCH),
        before.stream().map(one -> one.version().manifest()).toList(),
        new Progress(0, tip.number(), Long.MIN_VALUE, new TreeMap<>()));
    List<Published> after = new ArrayList<>(before);

    feed(core, log.subList(0, 450), after);

    assertThat(after)
        .extracting(one -> one.version().hash())
        .isEqualTo(undisturbed.stream().map(one -> one.version().hash()).toList());
  }

  @Test
  void smallWindow_orOneThatNobodyPromotes_hasNoConstants() {
    assertThat(published(settings("window.rows=19"), 30))
        .extracting(Published::rows)
        .containsExactly(0, 19);
    assertThat(published(settings("update.gate=manual"), 300)).hasSize(1);
  }

  @Test
  void windowThatWaitsForEnvironments_isBridged() {
    List<Published> all =
        published(settings("window.rows=100", "window.environments=3", "window.maxRows=450"), 450);

    assertThat(all).extracting(Published::rows).containsExactly(0, 5, 20, 100, 400, 450);
  }
}
