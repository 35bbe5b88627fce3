package io.holdfast.service.model;

import io.holdfast.schemas.feature.FeatureDecoder;
import io.holdfast.schemas.wire.BodyReader;
import org.jspecify.annotations.Nullable;

/** Counts for a {@link FeatureWatch} what one thread decodes, and tells it now and then. */
public final class FeatureTally {
  private @Nullable ActiveModel model;
  private long records;
  private long[] values = new long[0];
  private long[] unseen = new long[0];
  private long[] missing = new long[0]; // by place; of the one model's features

  /** Counts a vector that {@code reader} read. */
  @SuppressWarnings("ReferenceEquality") // versions are made once
  public void add(ActiveModel by, FeatureDecoder decoder, double[] features, BodyReader reader) {
    if (by != model) {
      tell();
      model = by;
      values = new long[by.categorical().length];
      unseen = new long[values.length];
      missing = new long[by.width()];
    }
    records++;
    if (!decoder.absent().isEmpty()) {
      by.watch().lacks(decoder.absent());
    }
    for (int i = 0; i < missing.length; i++) {
      if (Double.isNaN(features[i])) {
        missing[i]++;
      }
    }
    int[] slots = by.categorical();
    for (int i = 0; i < slots.length; i++) {
      double value = features[slots[i]];
      if (!Double.isNaN(value)) {
        values[i]++;
      } else if (FeatureDecoder.isUnseen(value)) {
        values[i]++;
        unseen[i]++;
        missing[slots[i]]--;
      }
    }
    for (int i = 0; i < reader.marked(); i++) {
      double value = features[reader.markedPlace(i)];
      if (!Double.isNaN(value)) { // and no number that means a missing value
        FeatureWatch.Column column = by.rounded(reader.markedPlace(i));
        column.example(value);
        by.watch().saw(column, 1);
      }
    }
  }

  /** Tells what was counted. */
  public void tell() {
    ActiveModel of = model;
    if (of == null || records == 0) {
      return;
    }
    of.watch().saw(records);
    records = 0;
    for (int i = 0; i < missing.length; i++) {
      if (missing[i] > 0) {
        of.missing(i, missing[i]);
        missing[i] = 0;
      }
    }
    for (int i = 0; i < values.length; i++) {
      of.watch().saw(of.column(i), values[i], unseen[i]);
      values[i] = 0;
      unseen[i] = 0;
    }
  }
}
