package io.holdfast.trainer.window;

import io.holdfast.schemas.version.Digest;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was answered for a record before its label was known.
 *
 * @param rawScores not copied and never changed
 * @param version the version that gave them, and its hash
 * @param promised how sure it was; null if it did not say
 */
@SuppressWarnings("ArrayRecordComponent") // rows are many, and what they hold is never changed
public record Served(double[] rawScores, long version, Digest hash, @Nullable Promised promised) {

  /** Raw scores of a version that did not say how sure it was. */
  public Served(double[] rawScores, long version, Digest hash) {
    this(rawScores, version, hash, null);
  }

  /** The one raw score of a model that has one. */
  public Served(double rawScore, long version, Digest hash) {
    this(new double[] {rawScore}, version, hash);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Served that
        && Arrays.equals(rawScores, that.rawScores)
        && version == that.version
        && hash.equals(that.hash)
        && Objects.equals(promised, that.promised);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(rawScores) * 31 + Long.hashCode(version);
  }

  @Override
  public String toString() {
    return "Served[" + Arrays.toString(rawScores) + ", " + version + ", " + hash + "]";
  }
}
