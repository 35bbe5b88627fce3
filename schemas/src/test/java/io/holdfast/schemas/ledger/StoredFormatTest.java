package io.holdfast.schemas.ledger;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerRung;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.RandomModels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What earlier programs wrote to the model topic, kept as it was, is read by this one: the same
 * hashes, and the same bits for the same rows. The files were written by the program that wrote the
 * format, and are never written again.
 */
class StoredFormatTest {
  @Test
  void format1_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format1");

    assertThat(ledger.models()).containsExactlyInAnyOrder("bikes", "fraud", "probe");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      assertThat(ledger.serving(model).orElseThrow().number()).isEqualTo(3);
      assertThat(ledger.head(model).orElseThrow().getReason()).isEqualTo(HeadReason.ROLLED_BACK);
      assertThat(ledger.version(model, 4).model().segments())
          .extracting(Segment::decay)
          .containsExactly(0.5, 1.0, 1.0);
    }
    assertThat(checkScores("format1", ledger)).isEqualTo(3 * 5 * 25);
  }

  @Test
  void format2_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format2");

    assertThat(ledger.models()).containsExactlyInAnyOrder("grades", "kinds", "rates");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      ModelHead head = ledger.head(model).orElseThrow();
      assertThat(head.getVersion()).isEqualTo(3);
      assertThat(head.getReason()).isEqualTo(HeadReason.PINNED);
      // What heads did not say then: nothing else is named, and nothing was numbered.
      assertThat(ledger.tip(model)).contains(ledger.serving(model).orElseThrow());
      assertThat(head.getPinned()).isFalse();
      assertThat(head.getSequence()).isZero();
      assertThat(ledger.shadow(model)).isEmpty();
      assertThat(ledger.history(model)).isEmpty();
      assertThat(ledger.versions(model).getLast().getReplay()).isEmpty();
      assertThat(ledger.versions(model).getLast().getParentVersion()).isEqualTo(-1);
    }
    assertThat(checkScores("format2", ledger)).isEqualTo(3 * 5 * 10);
  }

  @Test
  void format3_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format3");

    assertThat(ledger.models()).containsExactlyInAnyOrder("sums", "odds", "grades");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      ModelHead head = ledger.head(model).orElseThrow();
      assertThat(head.getVersion()).isEqualTo(3);
      assertThat(head.getPinned()).isTrue();
      assertThat(ledger.tip(model).orElseThrow().number()).isEqualTo(4);
      assertThat(ledger.history(model)).hasSize(6);
      LedgerVersion last = ledger.version(model, 4);
      assertThat(last.manifest().getReplay()).hasSize(1);
      assertThat(last.manifest().getHeldOut()).isEqualTo(0.2);
      // What manifests did not say then: there is no ladder, and what was grown scores.
      assertThat(last.rungs()).isEmpty();
      assertThat(last.model()).isSameAs(last.grown());
    }
    assertThat(checkScores("format3", ledger)).isEqualTo(3 * 5 * 10);
  }

  @Test
  void format4_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format4");

    assertThat(ledger.models()).containsExactlyInAnyOrder("sums", "odds", "kinds");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      assertThat(ledger.head(model).orElseThrow().getVersion()).isEqualTo(3);
      assertThat(ledger.history(model)).hasSize(6);
      LedgerVersion last = ledger.version(model, 4);
      assertThat(last.rungs()).extracting(LedgerRung::gamma).containsExactly(1.0, 9.0);
      assertThat(last.servedGamma()).isEqualTo(1);
      // What manifests did not say then: the next window finds its own bins.
      assertThat(last.manifest().getBins()).isNull();
      assertThat(last.bins()).isNull();
    }
    assertThat(checkScores("format4", ledger)).isEqualTo(3 * 5 * 8);
  }

  @Test
  void format5_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format5");

    assertThat(ledger.models()).containsExactlyInAnyOrder("sums", "odds", "kinds");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      assertThat(ledger.head(model).orElseThrow().getVersion()).isEqualTo(4);
      assertThat(ledger.version(model, 0).bins()).isNull();
      assertThat(ledger.version(model, 2).bins()).isSameAs(ledger.version(model, 1).bins());
      assertThat(ledger.version(model, 4).bins()).isNotEqualTo(ledger.version(model, 1).bins());
      // What manifests did not say then: windows are compared with remembered rows.
      assertThat(ledger.version(model, 4).manifest().getReference()).isNull();
      assertThat(ledger.version(model, 4).kept().reference()).isNull();
    }
    assertThat(checkScores("format5", ledger)).isEqualTo(3 * 5 * 8);
  }

  @Test
  void format6_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format6");

    assertThat(ledger.models()).containsExactlyInAnyOrder("sums", "odds", "kinds");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      // What manifests did not say then: a line goes on for ever.
      assertThat(ledger.version(model, 4).model().base().terms()).hasSize(2);
      assertThat(ledger.version(model, 4).model().base().clipped(new double[] {1e9, 0, 1e9}))
          .isZero();
    }
    assertThat(checkScores("format6", ledger)).isEqualTo(3 * 5 * 8);
  }

  @Test
  void format7_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format7");

    assertThat(ledger.models()).containsExactlyInAnyOrder("sums", "odds", "kinds");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      LedgerVersion last = ledger.version(model, 4);
      assertThat(last.manifest().getFormat()).isEqualTo(7);
      // What manifests did not say then: zeros are numbers, and other categories are missing.
      assertThat(last.model().features())
          .contains(
              new Feature.Numeric("temp", false),
              new Feature.Categorical("city", List.of("Bonn", "Köln", ""), false));
      assertThat(ledger.head(model).orElseThrow().getVersion()).isEqualTo(3);
    }
    assertThat(checkScores("format7", ledger)).isEqualTo(3 * 5 * 8);
  }

  @Test
  void format8_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format8");

    assertThat(ledger.models()).containsExactlyInAnyOrder("sums", "odds", "kinds");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      LedgerVersion last = ledger.version(model, 4);
      assertThat(last.manifest().getFormat()).isEqualTo(8);
      assertThat(last.model().features())
          .contains(
              new Feature.Numeric("temp", true),
              new Feature.Categorical("city", List.of("Bonn", "Köln", ""), true));
      ModelHead head = ledger.head(model).orElseThrow();
      assertThat(head.getFormat()).isEqualTo(3);
      assertThat(head.getVersion()).isEqualTo(3);
      assertThat(ledger.history(model)).hasSize(6);
      // What these did not say then: how sure scores are, and that a shadow is to be promoted.
      assertThat(last.uncertainty()).isNull();
      assertThat(head.getPromotion()).isNull();
    }
    assertThat(checkScores("format8", ledger)).isEqualTo(3 * 5 * 8);
  }

  @Test
  void format9_topic_isReadWithItsHashesAndScoresWithItsBits() throws IOException, LedgerException {
    Ledger ledger = topic("format9");

    assertThat(ledger.models()).containsExactlyInAnyOrder("sums", "odds", "kinds");
    for (String model : ledger.models()) {
      assertThat(ledger.versions(model)).hasSize(5);
      // Written as before while it says nothing new.
      assertThat(ledger.version(model, 1).manifest().getFormat()).isEqualTo(8);
      LedgerVersion last = ledger.version(model, 4);
      assertThat(last.manifest().getFormat()).isEqualTo(9);
      Uncertainty sure = requireNonNull(last.uncertainty());
      assertThat(sure.thresholds().levels()).containsExactly(0.8, 0.95);
      assertThat(sure.since()).isEqualTo(4);
      assertThat(sure.spreads() != null).isEqualTo(model.equals("sums"));
      ModelHead head = ledger.head(model).orElseThrow();
      assertThat(head.getFormat()).isEqualTo(4);
      assertThat(head.getPromotion().getError()).isEqualTo(0.01);
      assertThat(ledger.shadow(model)).contains(last);
      assertThat(ledger.serving(model).orElseThrow().number()).isEqualTo(3);
    }
    assertThat(checkScores("format9", ledger)).isEqualTo(3 * 5 * 8);
  }

  @Test
  void format1_head_isFollowedByTheFirstNumberedOne() throws IOException, LedgerException {
    Ledger ledger = topic("format1");
    ModelHead next =
        HeadRules.next(
            ledger.head("bikes").orElseThrow(),
            new HeadChange.Pinned(2),
            ledger.versionsOf("bikes"),
            Gate.ALWAYS,
            new HeadRules.Author("ada", "", Instant.EPOCH));

    for (LedgerRecord record : LedgerCodec.records(next)) {
      assertThat(ledger.apply(record.key().toString(), record.value()))
          .isNotInstanceOf(Ledger.Event.Rejected.class);
    }
    assertThat(next.getSequence()).isEqualTo(1);
    assertThat(ledger.history("bikes")).containsExactly(next);
    assertThat(ledger.serving("bikes").orElseThrow().number()).isEqualTo(2);
    assertThat(ledger.tip("bikes").orElseThrow().number()).isEqualTo(3);
  }

  @Test
  void format1_version_isThePastOfANewOne() throws IOException, LedgerException {
    Ledger ledger = topic("format1");
    LedgerVersion parent = ledger.version("bikes", 4);
    LedgerCodec.Draft draft =
        new LedgerCodec.Draft(
            "bikes",
            5,
            parent,
            parent.model().plus(new RandomModels(1).segment(2, 3)),
            4,
            List.of(),
            List.of(),
            List.of(),
            1,
            "{}",
            java.util.Map.of(),
            "0.2.0");

    LedgerCodec.Encoded next = LedgerCodec.encode(draft);
    next.records().forEach(record -> ledger.apply(record.key().toString(), record.value()));
    LedgerRecord head = LedgerCodecTest.head(next.version());

    // The older trees are named by the hashes they have, not written again.
    assertThat(next.records()).hasSize(2);
    assertThat(next.version().segments().subList(0, 3)).isEqualTo(parent.segments());
    assertThat(ledger.apply(head.key().toString(), head.value()))
        .isInstanceOf(Ledger.Event.Serves.class);
    assertThat(ledger.serving("bikes")).contains(next.version());
  }

  private static Ledger topic(String folder) throws IOException {
    Ledger ledger = new Ledger();
    for (String line : lines(folder + "/topic.txt")) {
      String[] parts = line.split(" ", -1);
      assertThat(ledger.apply(parts[0], HexFormat.of().parseHex(parts[1])))
          .as(parts[0])
          .isNotInstanceOf(Ledger.Event.Rejected.class);
    }
    return ledger;
  }

  /** Lines of: model, version, its hash, a row's features, bits of each raw score. */
  private static int checkScores(String folder, Ledger ledger) throws IOException, LedgerException {
    int checked = 0;
    for (String line : lines(folder + "/scores.txt")) {
      String[] parts = line.split(" ", -1);
      LedgerVersion version = ledger.version(parts[0], Long.parseLong(parts[1]));
      assertThat(version.hash().hex()).isEqualTo(parts[2]);
      int width = version.model().features().size();
      double[] row = Arrays.stream(parts, 3, 3 + width).mapToDouble(Double::parseDouble).toArray();
      double[] scores = new double[version.model().base().outputs()];
      Scorer.of(version.model()).score(row, scores);
      List<String> bits = new ArrayList<>();
      for (double score : scores) {
        bits.add(HexFormat.of().toHexDigits(Double.doubleToRawLongBits(score)));
      }
      assertThat(bits).as(line).isEqualTo(List.of(parts).subList(3 + width, parts.length));
      checked++;
    }
    return checked;
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream in = StoredFormatTest.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new AssertionError("there is no resource " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
