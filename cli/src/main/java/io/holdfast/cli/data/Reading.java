package io.holdfast.cli.data;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.MissingWords;
import java.util.Set;

/**
 * How a CSV file that decides its own types is read: which columns, by field or text, hold names
 * even if they look like numbers, and which words are missing values. Immutable.
 */
public record Reading(Set<String> text, MissingWords missing) {
  public static final Reading PLAIN = new Reading(Set.of(), MissingWords.USUAL);

  public Reading {
    text = Set.copyOf(text);
  }

  boolean asText(String header) {
    return text.contains(header) || text.contains(ColumnName.field(header));
  }
}
