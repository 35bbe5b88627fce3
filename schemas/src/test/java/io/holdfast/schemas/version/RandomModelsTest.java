package io.holdfast.schemas.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.wire.Contracts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Models of every objective go through the topic whole; damaged ones are refused or can score. */
class RandomModelsTest {
  private static final int MODELS = 40;
  private static final int DAMAGES = 2_000;

  static Stream<Objective> objectives() {
    return RandomModels.OBJECTIVES.stream();
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void model_throughTheTopic_isEqualAndScoresWithTheSameBits(Objective objective) {
    RandomModels random = new RandomModels(objective.hashCode());
    for (int i = 0; i < MODELS; i++) {
      Model model = random.model(objective);

      LedgerCodec.Encoded encoded = LedgerCodec.encode(RandomModels.draft(null, model));
      LedgerVersion read = LedgerCodecTest.serve(List.of(encoded));

      assertThat(read).isEqualTo(encoded.version());
      assertThat(read.model()).isEqualTo(model);
      assertThat(read.model().objective().unfitted()).isEqualTo(objective.unfitted());
      for (int row = 0; row < 20; row++) {
        double[] features = random.row();
        double[] scores = new double[objective.outputs()];
        double[] again = new double[objective.outputs()];
        Scorer.of(model).score(features, scores);
        Scorer.of(read.model()).score(features, again);
        assertThat(Arrays.equals(again, scores)).isTrue();
        assertThat(probabilities(read.model().objective(), again))
            .isEqualTo(probabilities(objective, scores));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void trees_writtenStraight_haveTheBytesOfTheirContract(Objective objective) {
    RandomModels random = new RandomModels(objective.hashCode());
    for (int i = 0; i < MODELS; i++) {
      for (Segment segment : random.model(objective).segments()) {
        assertThat(TreeCodec.body(segment.trees()))
            .isEqualTo(Contracts.SEGMENT.encodeBody(ContractTrees.segment(segment.trees())));
      }
    }
  }

  /**
   * The bytes of a segment or of the manifest are flipped, cut or stuffed, and all hashes that name
   * them put right, so that only what they say can give them away.
   */
  @ParameterizedTest
  @MethodSource("objectives")
  void damagedRecords_underTheirTrueHashes_areRefusedOrScore(Objective objective) {
    RandomModels random = new RandomModels(objective.hashCode());
    SplittableRandom dice = new SplittableRandom(7);
    Model model = random.model(objective);
    LedgerCodec.Encoded encoded = LedgerCodec.encode(RandomModels.draft(null, model));
    byte[] manifest = value(encoded.records().getLast());
    int refused = 0;
    for (int i = 0; i < DAMAGES; i++) {
      boolean inSegment = dice.nextBoolean();
      Ledger ledger = new Ledger();
      byte[] served = inSegment ? manifest : damaged(manifest, dice);
      int victim = dice.nextInt(encoded.records().size() - 1);
      for (int place = 0; place < encoded.records().size() - 1; place++) {
        LedgerRecord segment = encoded.records().get(place);
        byte[] value = value(segment);
        String key = segment.key().toString();
        if (inSegment && place == victim) {
          value = damaged(value, dice);
          Digest digest = digest(value);
          key = "bikes/segment/" + digest;
          served = renamed(encoded.version(), segment.key(), digest);
        }
        ledger.apply(key, value);
      }
      ledger.apply("bikes/version/0", served);
      Ledger.Event event = ledger.apply("bikes/head", LedgerLimitsTest.head(digest(served)));

      if (event instanceof Ledger.Event.Serves serves) {
        scoreAny(serves.version().model(), random);
      } else {
        refused++;
        assertThat(event).isInstanceOf(Ledger.Event.Rejected.class);
      }
    }
    assertThat(refused).isGreaterThan(DAMAGES / 4);
  }

  private static void scoreAny(Model model, RandomModels random) {
    double[] scores = new double[model.base().outputs()];
    Scorer.of(model).score(random.row(), scores);
    assertThat(probabilities(model.objective(), scores)).hasSize(model.objective().classes());
    var _ = model.objective().prediction(scores);
  }

  private static double[] probabilities(Objective objective, double[] scores) {
    double[] probabilities = new double[objective.classes()];
    objective.probabilities(scores, probabilities);
    return probabilities;
  }

  /** Flipped bits, overwritten bytes, or another length; the frame stays. */
  private static byte[] damaged(byte[] whole, SplittableRandom dice) {
    byte[] bytes =
        dice.nextInt(4) == 0
            ? Arrays.copyOf(whole, 11 + dice.nextInt(whole.length))
            : whole.clone();
    for (int k = dice.nextInt(1, 5); k > 0; k--) {
      int at = 10 + dice.nextInt(bytes.length - 10);
      bytes[at] =
          dice.nextBoolean()
              ? (byte) (bytes[at] ^ 1 << dice.nextInt(8))
              : (byte) new int[] {0, 1, 0x7F, 0x80, 0xFF, dice.nextInt()}[dice.nextInt(6)];
    }
    return bytes;
  }

  private static byte[] renamed(LedgerVersion version, LedgerKey from, Digest to) {
    List<ManifestSegment> segments = new ArrayList<>();
    for (int i = 0; i < version.segments().size(); i++) {
      ManifestSegment segment = version.manifest().getSegments().get(i);
      boolean victim = from.equals(new LedgerKey.SegmentKey("bikes", version.segments().get(i)));
      segments.add(
          victim
              ? new ManifestSegment(
                  new Sha256Digest(to.bytes()), segment.getTrees(), segment.getDecay())
              : segment);
    }
    return Contracts.MANIFEST.encode(
        ModelManifest.newBuilder(version.manifest()).setSegments(segments).build());
  }

  private static Digest digest(byte[] value) {
    return Digest.of(Arrays.copyOfRange(value, 10, value.length));
  }

  private static byte[] value(LedgerRecord record) {
    byte[] value = record.value();
    if (value == null) {
      throw new AssertionError("a tombstone: " + record.key());
    }
    return value;
  }
}
