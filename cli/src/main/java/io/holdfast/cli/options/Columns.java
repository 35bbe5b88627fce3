package io.holdfast.cli.options;

import io.holdfast.cli.data.FileHeader;
import io.holdfast.schemas.Suggestion;

/** Columns that flags name. Stateless. */
public final class Columns {
  private Columns() {}

  /** The field that holds the column of a file which {@code flag} names. */
  public static String field(FileHeader data, String column, String flag) {
    return data.field(column)
        .orElseThrow(
            () ->
                CommandException.usage(
                    "%s names column %s, which %s does not have%s; it has %s",
                    flag,
                    column,
                    data.name(),
                    Suggestion.aside(column, data.columns()),
                    String.join(", ", data.columns())));
  }
}
