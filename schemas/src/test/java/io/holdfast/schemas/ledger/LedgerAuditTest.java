package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.LedgerAudit.Kind;
import io.holdfast.schemas.ledger.LedgerAudit.Violation;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.RandomModels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerAuditTest {
  private static final HeadRules.Author ME = new HeadRules.Author("me", "", Instant.EPOCH);

  private final RandomModels random = new RandomModels(3);
  private final List<LedgerRecord> log = new ArrayList<>();
  private Ledger ledger = new Ledger();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void result_ofWhatEngineersDo_isClean_alsoOnceCompacted(int seed) throws LedgerException {
    var dice = new SplittableRandom(seed);
    int retain = 1 + dice.nextInt(6);
    begin();
    for (int step = 0; step < 60; step++) {
      switch (dice.nextInt(8)) {
        case 0 -> attempt(new HeadChange.RolledBack(anyVersion(dice)));
        case 1 -> attempt(new HeadChange.Pinned(anyVersion(dice)));
        case 2 -> attempt(new HeadChange.Unpinned());
        case 3 -> attempt(new HeadChange.Shadowed(anyVersion(dice)));
        case 4 -> attempt(new HeadChange.Promoted(anyVersion(dice)));
        default -> train(dice.nextInt(3) > 0, retain);
      }
    }

    assertThat(audit(log)).isEmpty();
    for (int cleaned = 0; cleaned <= log.size(); cleaned += 7) {
      assertThat(audit(compacted(cleaned))).as("cleaned up to %s", cleaned).isEmpty();
    }
    assertThat(ledger.versions("bikes").size()).isLessThanOrEqualTo(retain + 3);
  }

  @Test
  void result_countsWhatIsThere() throws LedgerException {
    begin();
    train(true, 100);
    train(true, 100);

    LedgerAudit.Result result = PublishedVersions.audit(log);

    assertThat(result.records()).isEqualTo(log.size());
    LedgerAudit.Summary summary = Objects.requireNonNull(result.models().get("bikes"));
    assertThat(summary.versions()).isEqualTo(3);
    assertThat(summary.newest()).isEqualTo(2);
    assertThat(summary.heads()).isEqualTo(3);
    assertThat(summary.segments()).isEqualTo(2);
  }

  @Test
  void version_leftOut_isAGapAndMore() throws LedgerException {
    begin();
    train(true, 100);
    train(true, 100);
    train(true, 100);
    log.removeIf(record -> record.key().toString().equals("bikes/version/2"));

    assertThat(audit(log))
        .extracting(Violation::kind)
        .contains(Kind.GAP, Kind.UNKNOWN_PARENT, Kind.HEAD_OF_NOTHING);
  }

  @Test
  void head_leftOutOrTwice_isALostHead() throws LedgerException {
    begin();
    train(true, 100);
    change(new HeadChange.Pinned(0));
    change(new HeadChange.Unpinned());
    List<LedgerRecord> without = new ArrayList<>(log);
    without.removeIf(record -> record.key().toString().equals("bikes/heads/3"));

    assertThat(audit(without))
        .extracting(Violation::detail)
        .contains("head 4 came after head 2: those between are lost");

    // What two writers that do not know of each other do: both follow head 2.
    ModelHead second = headNumbered(2);
    ModelHead rival =
        HeadRules.next(
            second, new HeadChange.RolledBack(0), ledger.versionsOf("bikes"), Gate.ALWAYS, ME);
    log.addAll(LedgerCodec.records(rival));
    assertThat(audit(log))
        .singleElement()
        .satisfies(
            lost -> {
              assertThat(lost.kind()).isEqualTo(Kind.LOST_HEAD);
              assertThat(lost.detail())
                  .isEqualTo("head 3 was written after head 4: it took the place of another");
            });
  }

  @Test
  void version_besideTheTip_isABranch() throws LedgerException {
    begin();
    train(true, 100);
    LedgerVersion old = ledger.version("bikes", 0);
    LedgerCodec.Encoded beside = LedgerCodec.encode(draft(2, old));
    write(beside.records());

    assertThat(audit(log))
        .singleElement()
        .satisfies(
            branch -> {
              assertThat(branch.kind()).isEqualTo(Kind.BRANCH);
              assertThat(branch.detail()).contains("version 2 grew from").contains("version 1 ");
            });

    // A rollback explains it.
    log.clear();
    ledger = new Ledger();
    begin();
    train(true, 100);
    change(new HeadChange.RolledBack(0));
    write(beside.records());
    assertThat(audit(log)).isEmpty();
  }

  @Test
  void version_publishedAgainOtherwise_isSaid() throws LedgerException {
    begin();
    train(true, 100);
    LedgerVersion zero = ledger.version("bikes", 0);
    LedgerCodec.Encoded other = LedgerCodec.encode(draft(1, zero));
    write(other.records());

    assertThat(audit(log)).extracting(Violation::kind).contains(Kind.PUBLISHED_TWICE);
  }

  @Test
  void segment_missingOrOther_isSaid() throws LedgerException {
    begin();
    train(true, 100);
    int place = place("bikes/segment/");
    List<LedgerRecord> without = new ArrayList<>(log);
    without.remove(place);
    assertThat(audit(without))
        .extracting(Violation::kind)
        .containsExactlyInAnyOrder(Kind.HEAD_OF_NOTHING, Kind.HEAD_OF_NOTHING, Kind.UNVERIFIABLE);

    byte[] bytes = value(log.get(place)).clone();
    bytes[bytes.length - 2] ^= 1;
    log.set(place, new LedgerRecord(log.get(place).key(), bytes));
    assertThat(audit(log)).extracting(Violation::kind).contains(Kind.HASH_MISMATCH);
  }

  @Test
  void head_ofAnotherHashOrOfNothing_isSaid() throws LedgerException {
    begin();
    train(true, 100);
    ModelHead good = ledger.head("bikes").orElseThrow();
    ModelHead bad =
        ModelHead.newBuilder(good)
            .setSequence(good.getSequence() + 1)
            .setHash(new Sha256Digest(Digest.of(new byte[] {1}).bytes()))
            .setTipVersion(9L)
            .build();
    log.addAll(LedgerCodec.records(bad));

    assertThat(audit(log))
        .extracting(Violation::detail)
        .anySatisfy(detail -> assertThat(detail).startsWith("head 3 names version 1 with the hash"))
        .contains("head 3 names version 9, which was not there");
  }

  @Test
  void deletion_ofWhatIsNeeded_isSaid() throws LedgerException {
    begin();
    train(true, 100);
    log.add(new LedgerRecord(new LedgerKey.VersionKey("bikes", 1), null));
    log.add(new LedgerRecord(new LedgerKey.HistoryKey("bikes", 1), null));
    log.add(new LedgerRecord(new LedgerKey.HeadKey("bikes"), null));

    assertThat(audit(log))
        .extracting(Violation::kind)
        .containsExactly(Kind.DELETED, Kind.DELETED, Kind.DELETED);
  }

  @Test
  void record_thatIsNone_isSaid() throws LedgerException {
    begin();
    LedgerAudit audit = new LedgerAudit();
    audit.apply(0, "what", new byte[] {1});
    audit.apply(1, "bikes/version/3", new byte[] {1});
    audit.apply(2, null, null);

    assertThat(audit.result().violations())
        .extracting(Violation::kind)
        .containsExactly(Kind.BAD_KEY, Kind.BAD_RECORD, Kind.BAD_KEY);
  }

  private void begin() throws LedgerException {
    LedgerCodec.Encoded zero =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained()));
    write(zero.records());
    write(LedgerCodec.records(HeadRules.first(zero.version(), HeadReason.INITIAL, ME)));
  }

  private void train(boolean serves, int retain) throws LedgerException {
    LedgerVersion tip = ledger.tip("bikes").orElseThrow();
    List<ModelManifest> versions = new ArrayList<>(ledger.versions("bikes"));
    LedgerCodec.Encoded next = LedgerCodec.encode(draft(versions.getLast().getVersion() + 1, tip));
    write(next.records());
    ModelHead head =
        change(new HeadChange.Trained(next.version().number(), next.version().hash(), serves));
    HeldVersions held = new HeldVersions();
    versions.forEach(held::add);
    write(held.tombstones(next.version().manifest(), head, retain));
  }

  /** Every fifth version is of two segments less, so that segments go out of use. */
  private LedgerCodec.Draft draft(long number, LedgerVersion tip) {
    Model model = tip.model();
    if (number % 5 == 0 && model.segments().size() > 2) {
      model =
          new Model(
              model.objective(),
              model.features(),
              model.base(),
              model.segments().subList(2, model.segments().size()));
    }
    return new LedgerCodec.Draft(
        "bikes",
        number,
        tip,
        model.plus(random.segment(1, 3)),
        1,
        List.of(),
        List.of(),
        List.of(),
        number,
        "{}",
        Map.of(),
        "test");
  }

  private ModelHead change(HeadChange change) throws LedgerException {
    ModelHead next =
        HeadRules.next(
            ledger.head("bikes").orElseThrow(),
            change,
            ledger.versionsOf("bikes"),
            Gate.ALWAYS,
            ME);
    write(LedgerCodec.records(next));
    return next;
  }

  private void attempt(HeadChange change) {
    try {
      var _ = change(change);
    } catch (LedgerException e) {
      assertThat(e.reason()).isEqualTo(LedgerException.Reason.REFUSED);
    }
  }

  private long anyVersion(SplittableRandom dice) {
    List<ModelManifest> versions = ledger.versions("bikes");
    return versions.get(dice.nextInt(versions.size())).getVersion();
  }

  private void write(List<LedgerRecord> records) {
    for (LedgerRecord record : records) {
      log.add(record);
      assertThat(ledger.apply(record.key().toString(), record.value()))
          .isNotInstanceOf(Ledger.Event.Rejected.class);
    }
  }

  /** What a broker that cleaned the first records of the log leaves: tombstones too are gone. */
  private List<LedgerRecord> compacted(int cleaned) {
    Map<String, Integer> last = new HashMap<>();
    for (int i = 0; i < cleaned; i++) {
      last.put(log.get(i).key().toString(), i);
    }
    List<LedgerRecord> left = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      LedgerRecord record = log.get(i);
      if (i >= cleaned
          || (last.getOrDefault(record.key().toString(), -1) == i && record.value() != null)) {
        left.add(record);
      }
    }
    return left;
  }

  private int place(String prefix) {
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i).key().toString().startsWith(prefix)) {
        return i;
      }
    }
    throw new AssertionError("no record " + prefix);
  }

  private ModelHead headNumbered(int sequence) throws LedgerException {
    return LedgerCodec.head(value(log.get(place("bikes/heads/" + sequence))));
  }

  private static byte[] value(LedgerRecord record) {
    byte[] value = record.value();
    if (value == null) {
      throw new AssertionError("a tombstone: " + record.key());
    }
    return value;
  }

  private static List<Violation> audit(List<LedgerRecord> records) {
    return PublishedVersions.audit(records).violations();
  }
}
