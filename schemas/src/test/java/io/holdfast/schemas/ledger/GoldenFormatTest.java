package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Fingerprint;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pins the bytes of format 1: a topic may hold them, so they are read and written for ever. */
class GoldenFormatTest {
  private static final Tree TREE =
      new Tree(
          new int[] {0, 1},
          new double[] {0.5, 0},
          new boolean[] {true, false},
          new long[][] {{}, {5}},
          new int[] {1, -1},
          new int[] {-3, -2},
          new double[] {-1, 0.25, 2});

  @Test
  void contracts_fingerprints_areThoseOfFormat1() {
    assertThat(
            List.of(
                fingerprint(Contracts.SCORE),
                fingerprint(Contracts.LABEL),
                fingerprint(Contracts.EXAMPLE),
                fingerprint(Contracts.REPORT),
                fingerprint(Contracts.SEGMENT),
                fingerprint(Contracts.MANIFEST),
                fingerprint(Contracts.HEAD)))
        .containsExactly(
            "Score 03f3431a3fae47fa",
            "Label 98c40cf8888dda69",
            "Example 0c0bd734d83c632a",
            "WindowReport 638702310f6824bb",
            "TreeSegment 87a4b013ca1cf788",
            "ModelManifest ecc987bf630efa0e",
            "ModelHead f1e8ea66b0241422");
  }

  @Test
  void records_ofOneTree_haveTheBytesOfFormat1() throws LedgerException {
    LedgerVersion zero =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained())).version();
    LedgerCodec.Encoded one =
        LedgerCodec.encode(RandomModels.draft(zero, zero.model().plus(new Segment(List.of(TREE)))));
    LedgerRecord segment = one.records().getFirst();
    byte[] bytes = segment.value() == null ? new byte[0] : segment.value();

    assertThat(LedgerCodec.trees(bytes)).containsExactly(TREE);
    assertThat(
            List.of(HexFormat.of().formatHex(bytes), zero.hash().hex(), one.version().hash().hex()))
        .containsExactly(
            "c30188f71cca13b0a487" // frame
                + "02" // format
                + "02" // trees
                + "04000200" // features
                + "04000000000000e03f000000000000000000" // thresholds
                + "04010000" // missing values go left
                + "020a00" // category sets
                + "04000200" // where they end
                + "04020100" // left
                + "04050300" // right
                + "06000000000000f0bf000000000000d03f000000000000004000" // leaf values
                + "00", // no more trees
            "d9dafe4763f2fc543c571941c91c486ea61b39b28adbce9be0cb5e83a9634068",
            "3afa369824fc4ebe2c6c2a492f18d9ce362ae426c4c146a368070ad7c5e64eea");
  }

  private static String fingerprint(ContractCodec<?> codec) {
    return codec.schema().getName() + " " + Fingerprint.hex(Fingerprint.of(codec.schema()));
  }
}
