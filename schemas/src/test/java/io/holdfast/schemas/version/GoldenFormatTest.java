package io.holdfast.schemas.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.data.FeatureBins;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.InputRange;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.schemas.avro.TreeNodes;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.reference.DistributionSketch;
import io.holdfast.schemas.reference.EnvironmentReference;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Fingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Pins the bytes of each format: a topic may hold them, so those of the older are read for ever,
 * and those of the newest written until there is a newer.
 */
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

  private static final Tree VECTORS =
      new Tree(
              new int[] {0},
              new double[] {0.5},
              new boolean[] {true},
              new long[][] {{}},
              new int[] {-1},
              new int[] {-2},
              new Tree.Leaves(new double[] {-1, 0.25, 2, 4}, 1, 2))
          .withStatistics(new float[] {3}, new float[] {10, 20});

  @Test
  void contracts_fingerprints_arePinned() {
    assertThat(
            List.of(
                fingerprint(Contracts.SCORE),
                fingerprint(Contracts.LABEL),
                fingerprint(Contracts.EXAMPLE),
                fingerprint(Contracts.REPORT),
                fingerprint(Contracts.SEGMENT),
                fingerprint(Contracts.BINS),
                fingerprint(Contracts.REFERENCE),
                fingerprint(Contracts.MANIFEST),
                fingerprint(Contracts.HEAD)))
        .containsExactly(
            "Score 3df0cefc71ea3163",
            "Label 98c40cf8888dda69",
            "Example 4323c0fd484df86b",
            "WindowReport 6e40bc764d4c86e4",
            "TreeSegment 7d7cc0a35aed712b",
            "BinEdges d32ba75801cbcf37",
            "ReferenceSketches fd710f71ae88c0e3",
            "ModelManifest dbd317fce3faa45a",
            "ModelHead d1c1b454de534c67");
  }

  @Test
  void olderContracts_fingerprints_arePinned() throws IOException {
    List<String> fingerprints = new ArrayList<>();
    for (String older :
        List.of(
            "TreeSegment-1",
            "TreeSegment-2",
            "ModelManifest-1",
            "ModelManifest-2",
            "ModelManifest-3",
            "ModelManifest-4",
            "ModelManifest-5",
            "ModelManifest-6",
            "ModelManifest-7",
            "ModelManifest-8",
            "ModelManifest-9",
            "ModelHead-1",
            "ModelHead-2",
            "ModelHead-3",
            "WindowReport-1",
            "WindowReport-2",
            "WindowReport-3",
            "WindowReport-4",
            "WindowReport-5",
            "WindowReport-6",
            "Score-1",
            "Score-2",
            "Example-1")) {
      try (InputStream in = Contracts.class.getResourceAsStream(older + ".avsc")) {
        Schema schema = new Schema.Parser().parse(in);
        fingerprints.add(older + " " + Fingerprint.hex(Fingerprint.of(schema)));
      }
    }
    assertThat(fingerprints)
        .containsExactly(
            "TreeSegment-1 87a4b013ca1cf788",
            "TreeSegment-2 c67306f0c3af7805",
            "ModelManifest-1 ecc987bf630efa0e",
            "ModelManifest-2 c06e46ff9dadb73a",
            "ModelManifest-3 8b35eebc2048dfe2",
            "ModelManifest-4 c34c235d15d49fa3",
            "ModelManifest-5 e1cdce2db1c328dd",
            "ModelManifest-6 d01121af225a40da",
            "ModelManifest-7 3e1ccb7d0ee9cf13",
            "ModelManifest-8 d2a3013ab775f06d",
            "ModelManifest-9 06ac1e8f364ec49b",
            "ModelHead-1 f1e8ea66b0241422",
            "ModelHead-2 f7fb361290385a0c",
            "ModelHead-3 9db740da5ac0dd22",
            "WindowReport-1 638702310f6824bb",
            "WindowReport-2 5badd157b1db8b4b",
            "WindowReport-3 8985729d19d00901",
            "WindowReport-4 5d40b0e8ce7b9e5b",
            "WindowReport-5 794761654d54807b",
            "WindowReport-6 a2aa33e5805e5318",
            "Score-1 03f3431a3fae47fa",
            "Score-2 0f506fe70ca779b5",
            "Example-1 0c0bd734d83c632a");
  }

  @Test
  void format1_segment_isRead() throws LedgerException {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
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
                    + "00"); // no more trees

    assertThat(LedgerCodec.trees(bytes)).containsExactly(TREE);
  }

  @Test
  void newestFormats_records_haveTheirBytes() throws LedgerException {
    LedgerVersion zero =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained())).version();
    Model model = zero.model().plus(new Segment(List.of(TREE, TREE)));
    LedgerCodec.Encoded one = LedgerCodec.encode(RandomModels.draft(zero, model));
    LedgerRecord segment = one.records().getFirst();
    byte[] bytes = segment.value() == null ? new byte[0] : segment.value();
    String tree =
        "04000200" // features
            + "04000000000000e03f000000000000000000" // thresholds
            + "04010000" // missing values go left
            + "020a00" // category sets
            + "04000200" // where they end
            + "04020100" // left
            + "04050300" // right
            + "06000000000000f0bf000000000000d03f000000000000004000" // leaf values
            + "00" // output
            + "02" // outputs
            + "00" // gains
            + "00" // leaf covers
            + "00"; // places of groups

    assertThat(LedgerCodec.trees(bytes)).containsExactly(TREE, TREE);
    assertThat(
            List.of(HexFormat.of().formatHex(bytes), zero.hash().hex(), one.version().hash().hex()))
        .containsExactly(
            "c3012b71ed5aa3c07c7d" // frame
                + "06" // format
                + "04" // trees
                + tree
                + tree
                + "00" // no more trees
                + "00", // groups
            "8e192fcd06304125cf8b19aee3398638084095ba70eb300d6c66c115eee12be9",
            "092d00e269bf56eb019f4eb3bcdf26e9746329fb893f04c52569ac74758b7c92");
  }

  @Test
  void format3_vectorLeavesAndStatistics_haveTheirBytes() throws LedgerException {
    TreeNodes nodes = ContractTrees.of(VECTORS);

    assertThat(TreeCodec.decode(nodes, 0, List.of())).isEqualTo(VECTORS);
    assertThat(
            HexFormat.of()
                .formatHex(
                    Contracts.SEGMENT.encodeBody(new TreeSegment(3, List.of(nodes), List.of()))))
        .isEqualTo(
            "06" // format
                + "02" // trees
                + "020000" // features
                + "02000000000000e03f00" // thresholds
                + "020100" // missing values go left
                + "00" // category sets
                + "020000" // where they end
                + "020100" // left
                + "020300" // right
                + "08000000000000f0bf000000000000d03f0000000000000040000000000000104000" // values
                + "02" // output
                + "04" // outputs
                + "020000404000" // gains
                + "04000020410000a04100" // leaf covers
                + "00" // places of groups
                + "00" // no more trees
                + "00"); // groups
  }

  @Test
  void format3_groupsOfCategories_haveTheirBytes() throws LedgerException {
    CategoryGroups groups = new CategoryGroups(3, new int[] {2, -1, 0});
    Tree tree = TREE.withCategoryGroups(new @Nullable CategoryGroups[] {null, groups});
    byte[] body = TreeCodec.body(List.of(tree, TREE));

    assertThat(LedgerCodec.trees(Contracts.SEGMENT.framed(body))).containsExactly(tree, TREE);
    assertThat(HexFormat.of().formatHex(body))
        .contains("04010000") // places of groups: none and the first
        .endsWith(
            "00" // no more trees
                + "02" // groups
                + "06" // 3
                + "0602ff00" // of categories 0, 1 and 2
                + "00"); // no more groups
  }

  @Test
  void format8_linearBase_hasItsBytes() throws LedgerException {
    Model linear =
        new Model(
            new Logistic(),
            RandomModels.FEATURES,
            Base.linear(
                new double[] {0.5},
                List.of(
                    new LinearTerm.Numeric(0, 2, new InputRange(-1, 8), -1),
                    new LinearTerm.Categorical(1, 1, 0.25, 4),
                    new LinearTerm.Numeric(2, 0.5, 4))),
            List.of());
    LedgerVersion zero = LedgerCodec.encode(RandomModels.draft(null, linear)).version();
    String body = HexFormat.of().formatHex(Contracts.MANIFEST.encodeBody(zero.manifest()));

    assertThat(body)
        .endsWith(
            "06" // terms
                + "00" // feature 0
                + "020000000000000040" // mean
                + "02000000000000f0bf00" // slope
                + "02" // a range
                + "000000000000f0bf" // low
                + "0000000000002040" // high
                + "02" // feature 1
                + "00" // no mean
                + "04000000000000d03f000000000000104000" // effects
                + "00" // no range
                + "04" // feature 2
                + "02000000000000e03f" // mean
                + "02000000000000104000" // slope
                + "00" // no range
                + "00" // no more terms
                + "01" // no parent
                + "00" // nothing replayed
                + "0000000000000000" // nothing held out
                + "00" // no rungs
                + "00" // the one that gamma says
                + "00" // no bins
                + "00" // no reference
                + "00" // no zeros are missing
                + "00"); // no others are a category
    assertThat(LedgerCodecTest.serve(List.of(LedgerCodec.encode(RandomModels.draft(null, linear)))))
        .isEqualTo(zero);
  }

  @Test
  void format1_bins_haveTheirBytes() throws LedgerException {
    Bins bins =
        new Bins(
            4,
            List.of(
                new FeatureBins(0, new double[] {-1, 0.5}, new int[] {3, 0, 200, 1}),
                new FeatureBins(2, new double[0], new int[] {0, 204})));
    LedgerCodec.Draft draft =
        RandomModels.draft(null, RandomModels.untrained()).withKept(new Kept(bins, null));
    LedgerCodec.Encoded zero = LedgerCodec.encode(draft);
    LedgerRecord record = zero.records().getFirst();
    byte[] bytes = record.value() == null ? new byte[0] : record.value();
    String hash = "c597acc356c4a5539fc8186e8bd820d0cc223783d65b487fe8c5f0cf49ca6e2a";

    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "c30137cfcb0158a72bd3" // frame
                + "02" // format
                + "08" // bins at most
                + "04" // features
                + "00" // the first
                + "04000000000000f0bf000000000000e03f00" // thresholds
                + "080600900302" // counts
                + "00"
                + "04" // the third
                + "00" // no thresholds
                + "0400980300" // counts
                + "00"); // no more features
    assertThat(record.key().toString()).isEqualTo("bikes/bins/" + hash);
    assertThat(BinsCodec.bins(bytes)).isEqualTo(bins);
    assertThat(HexFormat.of().formatHex(Contracts.MANIFEST.encodeBody(zero.version().manifest())))
        .endsWith("00" + "02" + hash + "00" + "0000");
  }

  @Test
  void format1_reference_hasItsBytes() throws LedgerException {
    var halves = new DistributionSketch(true, new double[] {0.5}, new long[] {5});
    var sketches =
        new TrainingReference(
            12,
            new TreeMap<>(Map.of(0, 11L)),
            List.of(new EnvironmentReference("s", 6, List.of(halves, halves, halves, halves))),
            List.of("o"));
    LedgerCodec.Encoded zero =
        LedgerCodec.encode(
            RandomModels.draft(null, RandomModels.untrained())
                .withKept(
                    new Kept(
                        null, new KeptReference(sketches, 3, new TreeMap<>(Map.of(0, 9L)), 2, 1))));
    LedgerRecord record = zero.records().getFirst();
    byte[] bytes = record.value() == null ? new byte[0] : record.value();
    String sketch = "01" + "02000000000000e03f00" + "020a00"; // exact, its values, their weights

    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "c301e3c088ae710f71fd" // frame
                + "02" // format
                + "18" // rows seen
                + "02001600" // through offset 11 of partition 0
                + "02" // parts
                + "020273" // environment s
                + "0c" // rows
                + "08" // of three features and the label
                + sketch
                + sketch
                + sketch
                + sketch
                + "00"
                + "00" // no more parts
                + "02026f00"); // others
    Digest digest = Digest.of(Arrays.copyOfRange(bytes, 10, bytes.length));
    assertThat(record.key().toString()).isEqualTo("bikes/reference/" + digest);
    assertThat(ReferenceCodec.sketches(bytes)).isEqualTo(sketches);
    assertThat(HexFormat.of().formatHex(Contracts.MANIFEST.encodeBody(zero.version().manifest())))
        .endsWith("00" + "02" + digest + "06" + "02001200" + "04" + "02" + "0000");
  }

  private static String fingerprint(ContractCodec<?> codec) {
    return codec.schema().getName() + " " + Fingerprint.hex(Fingerprint.of(codec.schema()));
  }
}
