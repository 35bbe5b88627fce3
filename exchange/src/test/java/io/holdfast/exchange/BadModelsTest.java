package io.holdfast.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.holdfast.exchange.foreign.ExchangeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no model, or one that cannot be taken over, is one sentence. */
class BadModelsTest {
  static final String LIGHTGBM =
      """
      tree
      version=v4
      num_class=1
      num_tree_per_iteration=1
      label_index=0
      max_feature_idx=1
      objective=binary sigmoid:1
      feature_names=age kind
      feature_infos=[0:90] 0:1:2
      tree_sizes=400

      Tree=0
      num_leaves=3
      num_cat=1
      split_feature=0 1
      split_gain=4 2
      threshold=30.5 0
      decision_type=2 1
      left_child=-1 -2
      right_child=1 -3
      leaf_value=0.5 -0.25 0.125
      leaf_weight=1 1 1
      leaf_count=10 20 30
      internal_value=0 0
      internal_weight=0 2
      internal_count=60 50
      cat_boundaries=0 1
      cat_threshold=5
      is_linear=0
      shrinkage=1


      end of trees

      feature_importances:
      age=1
      kind=1

      parameters:
      [boosting: gbdt]
      end of parameters

      pandas_categorical:[["a", "b", "c"]]
      """;

  static final String XGBOOST =
      """
      {"version": [3, 1, 0], "learner": {"feature_names": ["age", "kind"], "feature_types": ["float", "c"],
       "gradient_booster": {"name": "gbtree", "model": {
        "gbtree_model_param": {"num_trees": "1", "num_parallel_tree": "1"}, "tree_info": [0],
        "cats": {"enc": [{"offsets": [], "values": []}, {"offsets": [0, 2, 3], "values": [66, 195, 67]}],
                 "feature_segments": [], "sorted_idx": []},
        "trees": [{"id": 0, "tree_param": {"num_nodes": "5", "num_feature": "2", "size_leaf_vector": "1"},
         "left_children": [1, 3, -1, -1, -1], "right_children": [2, 4, -1, -1, -1],
         "split_indices": [0, 1, 0, 0, 0], "split_conditions": [30.5, 0, 0.5, -0.25, 0.125],
         "split_type": [0, 1, 0, 0, 0], "default_left": [1, 0, 0, 0, 0],
         "categories": [1], "categories_nodes": [1], "categories_segments": [0], "categories_sizes": [1],
         "loss_changes": [4, 2, 0, 0, 0], "sum_hessian": [60, 50, 10, 20, 30]}]}},
       "learner_model_param": {"base_score": "[5E-1]", "num_class": "0", "num_feature": "2", "num_target": "1"},
       "objective": {"name": "binary:logistic"}}}
      """;

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return file(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private void saysOneSentence(Path file, String... parts) {
    assertThatThrownBy(() -> ModelImport.read(file))
        .isInstanceOf(ExchangeException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContainingAll(parts)
        .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("\n"));
  }

  @Test
  void theseModels_asTheyStand_areRead() throws Exception {
    assertThat(ModelImport.read(file("m.txt", LIGHTGBM)).model().trees()).isOne();
    assertThat(ModelImport.read(file("m.json", XGBOOST)).model().trees()).isOne();
  }

  /** As LightGBM 3 writes a tree of one leaf that it has read from a file. */
  @Test
  void treeOfOneLeaf_withoutCounts_isRead() throws Exception {
    String tree =
        LIGHTGBM
            .substring(0, LIGHTGBM.indexOf("num_leaves=3"))
            .concat("num_leaves=1\nnum_cat=0\nsplit_feature=\nsplit_gain=\nthreshold=\n")
            .concat("decision_type=\nleft_child=\nright_child=\nleaf_value=0.5\nleaf_weight=\n")
            .concat("leaf_count=\ninternal_value=\ninternal_weight=\ninternal_count=\n")
            .concat("is_linear=0\n" + LIGHTGBM.substring(LIGHTGBM.indexOf("shrinkage=1")));
    String resized = tree.replaceFirst("tree_sizes=\\d+", "tree_sizes=250");
    assertThat(ModelImport.read(file("m.txt", resized)).model().trees()).isOne();
  }

  @Test
  void roundsAfterTheBest_areSaid() throws Exception {
    String stopped =
        XGBOOST.replaceFirst(
            "\"learner\": *\\{", "\"learner\":{\"attributes\":{\"best_iteration\":\"0\"},");
    assertThat(ModelImport.read(file("m.json", stopped)).notes().toString())
        .contains("all 1 rounds were taken", "best_iteration, 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "num_leaves=3|num_leaves=2147483648|leaf values",
        "num_leaves=3|num_leaves=-1|leaf values",
        "right_child=1 -3|right_child=0 -3|no tree",
        "left_child=-1 -2|left_child=1 -2|no tree",
        "left_child=-1 -2|left_child=-1 -9|node",
        "left_child=-1 -2|left_child=-1 2147483648|no node or feature",
        "leaf_value=0.5|leaf_value=inf|finite",
        "leaf_value=0.5 -0.25|leaf_value=0.5|leaf_value",
        "threshold=30.5|threshold=nan|NaN",
        "threshold=30.5 0|threshold=30.5 7|categories",
        "cat_boundaries=0 1|cat_boundaries=0 2000000000|categories",
        "cat_threshold=5|cat_threshold=99999999999|32 bits",
        "cat_threshold=5|cat_threshold=8|levels",
        "split_feature=0 1|split_feature=0 2147483647|tests feature",
        "split_feature=0 1|split_feature=0 0|as a category",
        "decision_type=2 1|decision_type=14 1|missing type",
        "max_feature_idx=1|max_feature_idx=2147483647|names",
        "num_tree_per_iteration=1|num_tree_per_iteration=2147483647|trees an iteration",
        "tree_sizes=400|tree_sizes=400 400|cut off",
        "is_linear=0|is_linear=1|linear_tree",
        "version=v4|version=v5|version",
        "objective=binary sigmoid:1|objective=lambdarank|ranks",
        "objective=binary sigmoid:1|objective=quantile alpha:2|quantile",
        "end of parameters||no end",
        "feature_names=age kind|feature_names=age age|different names",
        "[[\"a\", \"b\", \"c\"]]|[[\"a\", \"b\"|pandas_categorical",
        "[[\"a\", \"b\", \"c\"]]|[[\"True\", \"true\", \"c\"]]|spelt like",
        "[[\"a\", \"b\", \"c\"]]|[[\"a\", \"b\", \"c\"], [\"d\"]]|whose levels",
      })
  void lightGbm_changed_isOneSentence(String old, String changed, String part) throws Exception {
    assertThat(LIGHTGBM).contains(old);
    saysOneSentence(file("m.txt", LIGHTGBM.replace(old, changed == null ? "" : changed)), part);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1, 3, -1, -1, -1]|[1, 0, -1, -1, -1]|no tree",
        "[1, 3, -1, -1, -1]|[1, 1, -1, -1, -1]|no tree",
        "[1, 3, -1, -1, -1]|[1, 2147483648, -1, -1, -1]|whole number",
        "[1, 3, -1, -1, -1]|[1, 77, -1, -1, -1]|nodes are 0 to 4",
        "[2, 4, -1, -1, -1]|[2, 4]|list of 2",
        "'\"num_trees\": \"1\"'|'\"num_trees\": \"2147483648\"'|trees",
        "'\"num_feature\": \"2\", \"num_target\": \"1\"'|'\"num_feature\": \"4294967296\","
            + " \"num_target\": \"1\"'|features",
        "'\"num_class\": \"0\"'|'\"num_class\": \"2147483648\"'|classes",
        "'\"num_target\": \"1\"'|'\"num_target\": \"2\"'|targets",
        "'\"size_leaf_vector\": \"1\"'|'\"size_leaf_vector\": \"3\"'|targets",
        "'\"categories_sizes\": [1]'|'\"categories_sizes\": [2000000000]'|categories",
        "'\"categories_nodes\": [1]'|'\"categories_nodes\": [9]'|categories",
        "'\"offsets\": [0, 2, 3]'|'\"offsets\": [0, 2, 2000000000]'|names",
        "[5E-1]|[0.5,0.2]|base scores",
        "binary:logistic|survival:cox|times to an event",
        "binary:logistic|rank:pairwise|ranks",
        "gbtree\", \"model|gblinear\", \"model|booster",
        "[30.5, 0, 0.5|[NaN, 0, 0.5|NaN",
        "learner\": {|pupil\": {|learner",
      })
  void xgboost_changed_isOneSentence(String old, String changed, String part) throws Exception {
    assertThat(XGBOOST).contains(old);
    saysOneSentence(file("m.json", XGBOOST.replace(old, changed)), part);
  }

  @Test
  void files_cutAnywhere_areOneSentence() throws Exception {
    // Between its trees and its parameters LightGBM may end a model itself.
    int trees = LIGHTGBM.indexOf("end of trees");
    int parameters = LIGHTGBM.indexOf("parameters:") + "parameters:".length();
    int end = LIGHTGBM.indexOf("end of parameters") + "end of parameters".length() - 1;
    for (int length = 0; length <= end; length++) {
      if (length < trees + "end of trees".length() || length >= parameters) {
        refuses(file("m.txt", LIGHTGBM.substring(0, length)), "after " + length);
      }
    }
    byte[] json = XGBOOST.strip().getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < json.length; length++) {
      refuses(file("m.json", Arrays.copyOf(json, length)), "after " + length);
    }
  }

  private static void refuses(Path file, String what) throws IOException {
    try {
      var _ = ModelImport.read(file);
      fail("read " + what);
    } catch (ExchangeException e) {
      assertThat(e.getMessage()).as(what).doesNotContain("\n");
    }
  }

  /** Lengths that lie: nothing is made for what is not there. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, 1L << 31, 1L << 32, 1_000_000, -1})
  void ubj_lengthsThatLie_areOneSentence(long length) throws Exception {
    byte[] number = ByteBuffer.allocate(8).putLong(length).array();
    for (String before : new String[] {"{L", "{i\u0001a[$d#L", "{i\u0001a[#L", "{i\u0001aSL"}) {
      var bytes = new ByteArrayOutputStream();
      bytes.writeBytes(before.getBytes(StandardCharsets.ISO_8859_1));
      bytes.writeBytes(number);
      bytes.writeBytes(new byte[100]);
      saysOneSentence(file("m.ubj", bytes.toByteArray()), "length of " + length);
    }
  }

  @Test
  void ubj_typesWithoutBytes_andDepth_areOneSentence() throws Exception {
    saysOneSentence(
        file(
            "m.ubj",
            "{i\u0001a[$Z#l\u007f\u007f\u007f\u007f".getBytes(StandardCharsets.ISO_8859_1)),
        "packed");
    saysOneSentence(
        file("deep.ubj", ("{i\u0001a" + "[".repeat(100_000)).getBytes(StandardCharsets.ISO_8859_1)),
        "levels");
    saysOneSentence(file("deep.json", "{\"a\":" + "[".repeat(100_000)), "levels");
  }

  @Test
  void bytes_changedAtRandom_areReadOrOneSentence() throws Exception {
    var random = new SplittableRandom(7);
    int read = 0;
    for (String model : new String[] {LIGHTGBM, XGBOOST}) {
      for (int trial = 0; trial < 3_000; trial++) {
        byte[] bytes = model.getBytes(StandardCharsets.UTF_8);
        for (int k = random.nextInt(1, 4); k > 0; k--) {
          bytes[random.nextInt(bytes.length)] = (byte) (32 + random.nextInt(95));
        }
        try {
          var _ = ModelImport.read(file("m", bytes));
          read++;
        } catch (ExchangeException e) {
          assertThat(e.getMessage()).isNotEmpty();
        }
      }
    }
    assertThat(read).as("changes that do no harm").isBetween(100, 5_900);
  }

  @Test
  void otherFiles_areOneSentence() throws Exception {
    saysOneSentence(file("a.csv", "a,b\n1,2\n"), "no model of LightGBM");
    saysOneSentence(file("empty", ""), "no model of LightGBM");
    saysOneSentence(file("some.json", "{\"a\": 1}"), "learner");
  }
}
