package io.holdfast.exchange.foreign;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/**
 * A model of ours in another program's format.
 *
 * @param notes sentences on what is otherwise than here, for the user
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ExportedModel(byte[] bytes, List<String> notes) {
  public ExportedModel {
    notes = List.copyOf(notes);
  }

  /** One whose format is a text. */
  public static ExportedModel of(String text, Collection<String> notes) {
    return new ExportedModel(text.getBytes(StandardCharsets.UTF_8), List.copyOf(notes));
  }
}
