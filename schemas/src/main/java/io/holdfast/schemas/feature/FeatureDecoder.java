package io.holdfast.schemas.feature;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import org.apache.avro.Schema;

/**
 * SKELETON: Avro bytes to a feature vector for one writer schema, without building a record.
 * Immutable; safe to share.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class FeatureDecoder {
  private FeatureDecoder() {}

  /**
   * A decoder for bodies written with {@code writer}. A feature that the schema lacks is always
   * missing.
   *
   * @throws MalformedRecordException with reason INCOMPATIBLE_SCHEMA if a field's type cannot be
   *     the feature
   */
  public static FeatureDecoder compile(Schema writer, List<Feature> features)
      throws MalformedRecordException {
    throw new MalformedRecordException(
        MalformedRecordException.Reason.NO_VALUE, "SKELETON" + writer + features);
  }

  /**
   * The same with categories looked up in {@code dictionary}, which may learn new ones (training).
   */
  public static FeatureDecoder compile(
      Schema writer, List<Feature> features, CategoryDictionary dictionary)
      throws MalformedRecordException {
    throw new MalformedRecordException(
        MalformedRecordException.Reason.NO_VALUE, "SKELETON" + writer + features + dictionary);
  }

  /**
   * Decodes the body {@code bytes[from, bytes.length)} to {@code features}, one value a feature;
   * missing, null and unseen categories become NaN.
   *
   * @throws MalformedRecordException if the body is not one whole record of the writer schema
   */
  public void decode(byte[] bytes, int from, double[] features) throws MalformedRecordException {
    throw new MalformedRecordException(
        MalformedRecordException.Reason.NO_VALUE, "SKELETON" + from + features.length);
  }
}
