package io.holdfast.trainer.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.ForgottenRows;
import io.holdfast.schemas.avro.LogPlace;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.ledger.HeldVersions;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.LedgerAudit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.Retrained;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.ReplayPlan;
import io.holdfast.trainer.learn.RowSource;
import io.holdfast.trainer.learn.Standing;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.PartitionMerge;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Served;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories of a model, of which the rows of a key are then forgotten. */
class ForgettingTest {
  private static final InstantSource TIME = InstantSource.fixed(Instant.ofEpochSecond(7));
  private static final int KEYS = 25;
  private static final List<String> SETTINGS =
      List.of(
          "gamma=5",
          "gamma=auto",
          "ladder.gammas=1,4,9&ladder.serve=adaptive",
          "trees.sampling.rows=0.7",
          "trees.sampling.rows=0.7&trees.sampling.features=0.5&window.memoryRows=200",
          "window.memoryRows=0",
          "window.environments=3",
          "update.policy=decay",
          "update.policy=refit&drift.action=report",
          "update.policy=replace&window.rows=17",
          "update.policy=auto",
          "update.policy=auto&drift.action=shorten&window.rows=25",
          "drift.action=report&window.rows=20&update.gate=better",
          "update.gate=manual",
          "window.rows=7&window.memoryRows=90",
          "uncertainty.coverage=0.9&window.rows=60&window.memoryRows=200");

  private final Ledger ledger = new Ledger();
  private final List<LedgerRecord> published = new ArrayList<>();
  private final Map<String, byte[]> topic = new HashMap<>(); // as compaction leaves it

  static Stream<Long> seeds() {
    return Stream.iterate(1L, seed -> seed + 1).limit(50);
  }

  /**
   * A history: rows with a key each, in the order of the log, of which some are asked to be
   * forgotten at a moment.
   */
  private record History(
      ModelSettings settings,
      int partitions,
      List<LabelledRow> rows,
      Map<Position, Integer> keys,
      int moment) {

    List<LabelledRow> before() {
      return rows.subList(0, moment);
    }

    /** The log of that moment without the key: what is left may come in another order. */
    List<LabelledRow> without(int key) {
      return merged(before().stream().filter(row -> !is(row, key)).toList());
    }

    int key(LabelledRow row) {
      return Objects.requireNonNull(keys.get(row.position()));
    }

    boolean is(LabelledRow row, int key) {
      return keys.getOrDefault(row.position(), -1) == key;
    }
  }

  private static History history(long seed) {
    var random = new SplittableRandom(seed);
    Map<String, String> values = new HashMap<>(Map.of("retainVersions", "100"));
    for (String change : SETTINGS.get((int) (seed % SETTINGS.size())).split("&", -1)) {
      String[] keyAndValue = change.split("=", -1);
      values.put(keyAndValue[0], keyAndValue[1]);
    }
    int partitions = 1 + random.nextInt(3);
    List<LabelledRow> rows = new ArrayList<>();
    Map<Position, Integer> keys = new HashMap<>();
    for (LabelledRow row : ExampleStream.rows(seed, 420, partitions, 4)) {
      Served served =
          new Served(row.served().rawScores(), random.nextInt(4), row.served().hash(), null);
      // Times go backwards within a partition.
      Position at = row.position();
      Position moved =
          new Position(at.partition(), at.offset(), at.timestamp() + random.nextInt(-30, 30));
      rows.add(new LabelledRow(moved, row.record(), row.label(), 1, row.environment(), served));
      // A key comes in a stretch of the log, so that some begin late.
      int place = rows.size() * KEYS / 420;
      keys.put(moved, Math.floorMod(place - (int) Math.abs(6 * gauss(random)), KEYS));
    }
    return new History(
        ExampleStream.settings(values), partitions, merged(rows), keys, 200 + random.nextInt(140));
  }

  /** In the order in which a log of them is read. */
  private static List<LabelledRow> merged(List<LabelledRow> rows) {
    PartitionMerge<LabelledRow> merge = new PartitionMerge<>(LabelledRow::position);
    for (int partition = 0; partition < 3; partition++) {
      merge.open(partition);
      merge.atEnd(partition, true);
    }
    ReplayBuffer.inLogOrder(rows).forEach(merge::add);
    List<LabelledRow> merged = new ArrayList<>();
    for (LabelledRow row = merge.poll(); row != null; row = merge.poll()) {
      merged.add(row);
    }
    return merged;
  }

  private static double gauss(SplittableRandom random) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      sum += random.nextDouble(-1, 1);
    }
    return sum / 2;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void versionAfter_isBitForBitThatOfALogWithoutTheKey(long seed) throws Exception {
    History history = history(seed);
    var random = new SplittableRandom(-seed);
    publish(learned(history.settings(), history.before()));
    long newest = ledger.versions("m").getLast().getVersion();
    int key = history.key(history.before().get(random.nextInt(history.moment())));

    Forgotten forgotten = forget(history, key);

    List<LedgerVersion> wanted = versions(learned(history.settings(), history.without(key)));
    List<LedgerVersion> had = forgotten.retraining().trained();
    LedgerVersion last = had.isEmpty() ? forgotten.retraining().origin() : had.getLast();
    assertThat(last.hash()).isEqualTo(wanted.getLast().hash());
    assertThat(last.manifest()).isEqualTo(wanted.getLast().manifest());
    assertThat(had.stream().map(LedgerVersion::hash))
        .isEqualTo(
            wanted.stream().map(LedgerVersion::hash).skip(wanted.size() - had.size()).toList());

    LedgerVersion tip = ledger.tip("m").orElseThrow();
    assertThat(tip.number()).isEqualTo(newest + Math.max(1, had.size()));
    assertThat(tip.segments()).isEqualTo(last.segments());
    assertThat(Objects.requireNonNull(Retrained.of(tip.manifest())).getHash())
        .isEqualTo(last.hash().stored());
    checkAudit();
    checkRebuilt(history, key, newest, 1);
    checkNothingIsLeft(forgotten.gone());
    goOn(history, key, forgotten.retraining().progress());
  }

  static Stream<Long> fewSeeds() {
    return seeds().limit(16);
  }

  @ParameterizedTest
  @MethodSource("fewSeeds")
  void afterAnotherKey_isThatOfALogWithoutBoth(long seed) throws Exception {
    History history = history(seed);
    publish(learned(history.settings(), history.before()));
    int key = history.key(history.before().getLast());
    goOn(history, key, forget(history, key).retraining().progress());
    List<LabelledRow> rest = merged(left(history, key).read(everything(Progress.NONE)).rows());
    History left =
        new History(history.settings(), history.partitions(), rest, history.keys(), rest.size());
    int other = history.key(rest.getFirst());
    long newest = ledger.versions("m").getLast().getVersion();

    Forgotten forgotten = forget(left, other);

    LedgerVersion wanted = versions(learned(left.settings(), left.without(other))).getLast();
    assertThat(forgotten.retraining().origin().number()).isZero();
    assertThat(forgotten.retraining().trained().getLast().hash()).isEqualTo(wanted.hash());
    checkAudit();
    checkRebuilt(left, other, newest, 2);
    checkNothingIsLeft(forgotten.gone());
  }

  private void checkAudit() {
    LedgerAudit audit = new LedgerAudit();
    for (int i = 0; i < published.size(); i++) {
      audit.apply(i, published.get(i).key().toString(), published.get(i).value());
    }
    assertThat(audit.result().violations()).isEmpty();
  }

  /** Each version that was trained again, and each that came after, comes out of the log. */
  private void checkRebuilt(History history, int key, long newest, int asked)
      throws LedgerException {
    for (ModelManifest manifest : ledger.versions("m")) {
      if (manifest.getVersion() > newest) {
        LedgerVersion version = ledger.version("m", manifest.getVersion());
        LedgerVersion parent = ledger.version("m", manifest.getParentVersion());
        Rebuild.Result result =
            Rebuild.of(version, parent, ExampleStream.framing(), left(history, key));
        assertThat(result.differences()).isEmpty();
        assertThat(result.same()).isTrue();
        assertThat(Retrained.rows(manifest)).hasSize(asked);
      }
    }
  }

  /** The log without the rows that are forgotten; those of later are there. */
  private static RowSource left(History history, int key) {
    Set<Position> before = new HashSet<>();
    history.before().forEach(row -> before.add(row.position()));
    Predicate<LabelledRow> gone = row -> history.is(row, key) && before.contains(row.position());
    return ExampleStream.source(history.rows().stream().filter(gone.negate()).toList());
  }

  private void checkNothingIsLeft(Set<Long> gone) {
    Set<String> named = new HashSet<>(Set.of("m/head"));
    for (ModelManifest manifest : ledger.versions("m")) {
      assertThat(gone).doesNotContain(manifest.getVersion());
      named.add("m/version/" + manifest.getVersion());
      HeldVersions alone = new HeldVersions();
      alone.add(manifest);
      alone
          .tombstones("m", Set.of(manifest.getVersion()), List.of())
          .forEach(each -> named.add(each.key().toString()));
    }
    assertThat(topic.keySet().stream().filter(each -> !each.startsWith("m/heads/")))
        .isSubsetOf(named);
  }

  /** Learns the rest of the log from what the topics say, forgotten rows left out. */
  private void goOn(History history, int key, Progress reached) throws Exception {
    ModelManifest tip = ledger.tip("m").orElseThrow().manifest();
    Progress progress =
        new Progress(reached.window(), tip.getVersion(), reached.time(), reached.partitions());
    TrainerCore core = new TrainerCore(history.settings(), ExampleStream.framing());
    core.resume(Objects.requireNonNull(Standing.of(ledger, "m")), ledger.versions("m"), progress);
    if (!tip.getWindow().isEmpty()) {
      core.remember(ReplayPlan.after(tip, progress), left(history, key));
    }
    List<LabelledRow> rest = merged(left(history, key).read(everything(reached)).rows());
    publish(learned(core, rest));
    assertThat(ledger.versions("m").getLast().getVersion()).isGreaterThan(tip.getVersion());
    checkAudit();
    checkRebuilt(history, key, tip.getVersion(), 1);
  }

  private static SortedMap<Integer, Window.Cut> everything(Progress from) {
    TreeMap<Integer, Window.Cut> cuts = new TreeMap<>();
    for (int partition = 0; partition < 3; partition++) {
      Progress.Reached reached = from.partitions().get(partition);
      long begin = reached == null ? 0 : reached.position();
      cuts.put(partition, new Window.Cut(begin, Long.MAX_VALUE));
    }
    return cuts;
  }

  private record Forgotten(Retraining retraining, Set<Long> gone) {}

  private Forgotten forget(History history, int key) throws LedgerException {
    TreeMap<Integer, Long> first = new TreeMap<>();
    TreeMap<Integer, Long> ends = new TreeMap<>();
    TreeMap<Integer, Long> last = new TreeMap<>();
    for (LabelledRow row : ReplayBuffer.inLogOrder(history.before())) {
      Position at = row.position();
      ends.put(at.partition(), at.offset() + 1);
      if (history.is(row, key)) {
        long before = last.getOrDefault(at.partition(), -1L);
        first.putIfAbsent(at.partition(), history.partitions() == 1 ? at.offset() : before);
      }
      last.put(at.partition(), at.offset());
    }
    List<ModelManifest> versions = ledger.versions("m");
    var influence = new Influence(versions, first);
    Set<Long> gone = influence.reached();
    long tip = HeadRules.tipVersion(ledger.head("m").orElseThrow());
    ModelManifest origin = influence.lastWithout(tip).orElseThrow();
    ModelManifest learned = influence.learnedBefore(origin).orElse(null);
    RowSource left = ExampleStream.source(history.without(key));
    Retraining retraining =
        Retraining.from(
            history.settings(),
            ExampleStream.framing(),
            ledger.version("m", origin.getVersion()),
            learned,
            versions.stream().filter(it -> it.getVersion() <= origin.getVersion()).toList(),
            Long.MIN_VALUE,
            left);
    Map<Integer, Long> from = new HashMap<>();
    if (learned != null) {
      learned.getWindow().forEach(range -> from.put(range.getPartition(), range.getTo()));
    }
    List<LabelledRow> after =
        history.without(key).stream()
            .filter(
                row -> row.position().offset() >= from.getOrDefault(row.position().partition(), 0L))
            .toList();
    merged(after).forEach(row -> assertThat(retraining.add(row)).isEmpty());
    List<ForgottenRows> rows =
        new ArrayList<>(Retrained.rows(ledger.tip("m").orElseThrow().manifest()));
    rows.add(rows(key, ends));
    publish(history.settings(), retraining, rows, gone);
    return new Forgotten(retraining, gone);
  }

  private void publish(
      ModelSettings settings, Retraining retraining, List<ForgottenRows> rows, Set<Long> gone)
      throws LedgerException {
    List<ModelManifest> versions = ledger.versions("m");
    List<LedgerCodec.Encoded> made = retraining.published(versions.getLast().getVersion(), rows);
    LedgerVersion last = made.getLast().version();
    Gate gate = settings.update().gate();
    var change = new HeadChange.Retrained(last.number(), last.hash(), gone);
    var author = new HeadRules.Author("ana", "", TIME.instant());
    var head =
        HeadRules.next(
            ledger.head("m").orElseThrow(), change, ledger.versionsOf("m"), gate, author);
    HeldVersions held = new HeldVersions();
    versions.forEach(held::add);
    List<LedgerRecord> records = new ArrayList<>();
    made.forEach(each -> records.addAll(each.records()));
    records.addAll(LedgerCodec.records(head));
    records.addAll(
        held.tombstones("m", gone, made.stream().map(each -> each.version().manifest()).toList()));
    publish(records);
  }

  private static ForgottenRows rows(int key, Map<Integer, Long> ends) {
    List<LogPlace> until = new ArrayList<>();
    ends.forEach((partition, end) -> until.add(new LogPlace(partition, end)));
    return new ForgottenRows(List.of(Digest.of(new byte[] {(byte) key}).stored()), "topic", until);
  }

  private void publish(List<LedgerRecord> records) {
    for (LedgerRecord record : records) {
      String key = record.key().toString();
      var event = ledger.apply(key, record.value());
      assertThat(event).isNotInstanceOf(Ledger.Event.Rejected.class);
      published.add(record);
      if (record.value() == null) {
        topic.remove(key);
      } else {
        topic.put(key, record.value());
      }
    }
  }

  private static List<LedgerRecord> learned(ModelSettings settings, List<LabelledRow> rows) {
    TrainerCore core = new TrainerCore(settings, ExampleStream.framing());
    TrainerEvent.Begun begun = core.begin(ExampleStream.SCHEMA, TIME);
    core.apply(begun);
    List<LedgerRecord> records = new ArrayList<>(begun.version().records());
    records.addAll(learned(core, rows));
    return records;
  }

  private static List<LedgerRecord> learned(TrainerCore core, List<LabelledRow> rows) {
    List<LedgerRecord> records = new ArrayList<>();
    for (LabelledRow row : rows) {
      assertThat(core.add(row)).isEmpty();
      core.provisional(TIME)
          .ifPresent(
              constant -> {
                records.addAll(constant.version().records());
                core.apply(constant);
              });
      core.completeWindow()
          .ifPresent(
              window -> {
                TrainerEvent.Concluded concluded = core.decide(window, TIME);
                records.addAll(concluded.records());
                core.apply(concluded);
              });
    }
    return records;
  }

  /** All versions of a topic of their own. */
  private static List<LedgerVersion> versions(List<LedgerRecord> records) throws LedgerException {
    Ledger other = new Ledger();
    records.forEach(each -> other.store(each.key().toString(), each.value()));
    other.settle();
    List<LedgerVersion> versions = new ArrayList<>();
    for (ModelManifest manifest : other.versions("m")) {
      versions.add(other.version("m", manifest.getVersion()));
    }
    return versions;
  }

  @Test
  void influence_reachesWhatLearnedBehindTheFirstRow_andWhatGrewFromIt() throws LedgerException {
    ModelManifest zero = manifest(0, -1, 0);
    ModelManifest one = manifest(1, 0, 100);
    ModelManifest two = manifest(2, 1, 200);
    ModelManifest imported = manifest(3, 2, 0);
    ModelManifest back = manifest(4, 1, 0);
    var influence =
        new Influence(List.of(zero, one, two, imported, back), new TreeMap<>(Map.of(0, 100L)));

    assertThat(influence.reached()).containsExactlyInAnyOrder(2L, 3L);
    assertThat(influence.lastWithout(3)).contains(one);
    assertThat(influence.lastWithout(4)).contains(back);
    assertThat(influence.learnedBefore(back)).contains(one);
    assertThat(influence.learnedBefore(zero)).isEmpty();
  }

  private static ModelManifest manifest(long version, long parent, long to) throws LedgerException {
    ModelManifest zero =
        versions(learned(ExampleStream.settings(Map.of()), List.of())).getFirst().manifest();
    return ModelManifest.newBuilder(zero)
        .setVersion(version)
        .setParentVersion(parent)
        .setWindow(to == 0 ? List.of() : List.of(new OffsetRange("m.examples", 0, 0L, to)))
        .build();
  }
}
