package io.holdfast.boosting;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The first 8 bytes of the SHA-256 of all numbers of a model, in a fixed order. Stateless. */
final class FrozenHash {
  private FrozenHash() {}

  private interface Content {
    void write(DataOutputStream out) throws IOException;
  }

  static String of(Model model) {
    return hash(
        out -> {
          out.writeUTF(model.objective().name());
          for (Map.Entry<String, Double> one :
              new TreeMap<>(model.objective().parameters()).entrySet()) {
            out.writeUTF(one.getKey());
            out.writeDouble(one.getValue());
          }
          for (Feature feature : model.features()) {
            out.writeUTF(feature.name());
          }
          writeBase(model, out);
          for (Segment segment : model.segments()) {
            out.writeDouble(segment.decay());
            for (Tree tree : segment.trees()) {
              writeTree(tree, out);
            }
          }
        });
  }

  static String of(double[] scores) {
    return hash(
        out -> {
          for (double score : scores) {
            out.writeDouble(score);
          }
        });
  }

  private static void writeBase(Model model, DataOutputStream out) throws IOException {
    int outputs = model.base().outputs();
    for (int k = 0; k < outputs; k++) {
      out.writeDouble(model.base().intercept(k));
      for (LinearTerm term : model.base().terms()) {
        switch (term) {
          case LinearTerm.Numeric numeric -> out.writeDouble(numeric.slope(k));
          case LinearTerm.Categorical effects -> {
            for (int code = 0; code < effects.categories(); code++) {
              out.writeDouble(effects.effect(code, k));
            }
          }
        }
      }
    }
  }

  private static void writeTree(Tree tree, DataOutputStream out) throws IOException {
    out.writeInt(tree.output());
    for (int node = 0; node < tree.innerNodes(); node++) {
      out.writeInt(tree.feature(node));
      out.writeDouble(tree.threshold(node));
      out.writeBoolean(tree.missingLeft(node));
      for (long word : tree.categorySet(node)) {
        out.writeLong(word);
      }
      out.writeInt(tree.left(node));
      out.writeInt(tree.right(node));
      out.writeFloat(tree.hasStatistics() ? tree.gain(node) : -1);
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      for (int k = 0; k < tree.outputs(); k++) {
        out.writeDouble(tree.leafValue(leaf, k));
      }
      out.writeFloat(tree.hasStatistics() ? tree.leafCover(leaf) : -1);
    }
  }

  private static String hash(Content content) {
    try {
      var bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        content.write(out);
      }
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
