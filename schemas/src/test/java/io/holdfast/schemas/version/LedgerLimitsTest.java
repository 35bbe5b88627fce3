package io.holdfast.schemas.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ManifestTerm;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.avro.TreeNodes;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.wire.Contracts;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Few bytes that claim much are refused by what they claim, before anything is made of it. */
class LedgerLimitsTest {
  private final RandomModels random = new RandomModels(3);
  private final LedgerVersion zero =
      LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained())).version();

  @Test
  void manifest_claimingABillionItems_isRefused() {
    byte[] whole = Contracts.MANIFEST.encode(zero.manifest());
    // The last byte ends the last array: a count in its place claims what is not there.
    int at = whole.length - 1;
    for (byte[] claim :
        List.of(
            new byte[] {(byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F},
            new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F, 0})) {
      byte[] bytes = Arrays.copyOf(whole, at + claim.length);
      System.arraycopy(claim, 0, bytes, at, claim.length);

      LedgerException refusal =
          catchThrowableOfType(LedgerException.class, () -> LedgerCodec.manifest(bytes));

      assertThat(refusal)
          .hasMessageContaining("a block claims")
          .hasMessageContaining("more than its bytes can hold");
    }
  }

  @Test
  void manifest_ofTooManyOutputsClassesOrCoefficients_isRefused() {
    assertThat(
            refusal(
                ModelManifest.newBuilder(zero.manifest())
                    .setBase(Collections.nCopies(1_001, 0.0))
                    .build()))
        .isEqualTo("LIMIT_EXCEEDED: the raw scores must be at most 1000: 1001");
    assertThat(
            refusal(
                ModelManifest.newBuilder(zero.manifest())
                    .setObjectiveParameters(Map.of("classes", 1e9))
                    .build()))
        .isEqualTo("LIMIT_EXCEEDED: the classes of the objective must be at most 1000: 1000000000");
    assertThat(
            refusal(
                ModelManifest.newBuilder(zero.manifest())
                    .setLinear(
                        List.of(new ManifestTerm(1, null, Collections.nCopies(100_001, 0.0), null)))
                    .build()))
        .isEqualTo(
            "LIMIT_EXCEEDED: the coefficients of the linear base must be at most 100000: 100001");
  }

  @Test
  void manifest_ofNumbersThatAreNone_isRefused() {
    assertThat(
            refusal(ModelManifest.newBuilder(zero.manifest()).setBase(List.of(Double.NaN)).build()))
        .isEqualTo("BAD_RECORD: the base is none: base of a model must be finite: NaN");
    assertThat(
            refusal(
                ModelManifest.newBuilder(zero.manifest())
                    .setLinear(List.of(new ManifestTerm(-1, 0.0, List.of(1.0), null)))
                    .build()))
        .isEqualTo(
            "BAD_RECORD: the base is none: the feature of a linear term must be 0 or more: -1");
    assertThat(
            refusal(
                ModelManifest.newBuilder(zero.manifest())
                    .setObjectiveParameters(Map.of("classes", Double.NaN))
                    .build()))
        .isEqualTo("BAD_RECORD: the classes of the objective must be 2 or more: NaN");
    assertThat(refusal(ModelManifest.newBuilder(zero.manifest()).setObjective("cubic").build()))
        .startsWith("BAD_RECORD: version 0 has no objective that this program knows:");
  }

  @Test
  void tree_ofARawScoreFarAway_isRefused() {
    Tree tree = random.tree(2);
    for (int output : new int[] {1_000, Integer.MAX_VALUE}) {
      TreeNodes nodes = TreeNodes.newBuilder(ContractTrees.of(tree)).setOutput(output).build();

      LedgerException refusal =
          catchThrowableOfType(LedgerException.class, () -> TreeCodec.decode(nodes, 4, List.of()));

      assertThat(refusal.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
      assertThat(refusal)
          .hasMessage(
              "the raw scores up to the last of tree 4 must be at most 1000: " + (output + 1L));
    }
  }

  @Test
  void manifest_namingALargeSegmentAThousandTimes_isRefused() {
    TreeSegment large = ContractTrees.segment(Collections.nCopies(10, random.tree(1_000)));
    byte[] value = Contracts.SEGMENT.encode(large);
    Digest digest = Digest.of(Contracts.SEGMENT.encodeBody(large));
    ModelManifest manifest =
        ModelManifest.newBuilder(zero.manifest())
            .setSegments(
                Collections.nCopies(
                    1_000, new ManifestSegment(new Sha256Digest(digest.bytes()), 10, 1.0)))
            .build();

    Ledger ledger = new Ledger();
    ledger.apply("bikes/segment/" + digest, value);

    assertThat(refusal(ledger, manifest))
        .startsWith("LIMIT_EXCEEDED: the numbers in all trees must be at most 33554432: ");
  }

  private static String refusal(ModelManifest manifest) {
    return refusal(new Ledger(), manifest);
  }

  /** What a ledger says that is given the manifest, or a head that names it by its true hash. */
  private static String refusal(Ledger ledger, ModelManifest manifest) {
    Ledger.Event event = ledger.apply("bikes/version/0", Contracts.MANIFEST.encode(manifest));
    if (event instanceof Ledger.Event.Stored) {
      Digest hash = Digest.of(Contracts.MANIFEST.encodeBody(manifest));
      event = ledger.apply("bikes/head", head(hash));
    }
    assertThat(event).isInstanceOf(Ledger.Event.Rejected.class);
    Ledger.Event.Rejected rejected = (Ledger.Event.Rejected) event;
    return rejected.reason() + ": " + rejected.detail();
  }

  static byte[] head(Digest hash) {
    return Contracts.HEAD.encode(
        ModelHead.newBuilder()
            .setFormat(1)
            .setModel("bikes")
            .setVersion(0)
            .setHash(new Sha256Digest(hash.bytes()))
            .setReason(HeadReason.TRAINED)
            .setBy("test")
            .setAt(Instant.EPOCH)
            .build());
  }
}
