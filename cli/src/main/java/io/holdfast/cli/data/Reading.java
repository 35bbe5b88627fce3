package io.holdfast.cli.data;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.feature.MissingWords;
import java.util.Set;

/**
 * How the cells of a CSV file that decides its own types are read. Immutable.
 *
 * @param text columns, by field or by text, whose values are names even if they look like numbers:
 *     environments, categories, keys
 */
public record Reading(Set<String> text, MissingWords missing) {
  /** Types by what is there alone. */
  public static final Reading PLAIN = new Reading(Set.of(), MissingWords.USUAL);

  public Reading {
    text = Set.copyOf(text);
  }

  boolean asText(String header) {
    return text.contains(header) || text.contains(ColumnName.field(header));
  }
}
