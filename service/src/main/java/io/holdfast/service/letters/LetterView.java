package io.holdfast.service.letters;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.log.Letter;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import io.holdfast.service.lookup.DecodedValue;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter. Bytes are text where they are text, else hex digits.
 *
 * @param place partition and offset on its topic
 * @param of what it is of, a record or a label
 * @param at the message's own time
 * @param refused when the letter was written; null if it does not say
 * @param decoded the value as JSON, as a scorer reads it; null if it cannot be read
 */
@Serdeable
public record LetterView(
    String place,
    String of,
    String reason,
    String sentence,
    @Nullable From from,
    Instant at,
    @Nullable Instant refused,
    @Nullable String key,
    Map<String, @Nullable String> headers,
    @Nullable String value,
    @Nullable String decoded) {

  /** Where the message came from. */
  @Serdeable
  public record From(String topic, int partition, long offset) {}

  static LetterView of(Letter letter, RecordFraming framing) {
    Map<String, @Nullable String> headers = new LinkedHashMap<>();
    letter.headers().forEach(header -> headers.put(header.key(), Letter.shown(header.value())));
    Origin origin = letter.origin();
    return new LetterView(
        letter.place(),
        letter.of(),
        letter.reason(),
        letter.sentence(),
        origin == null ? null : new From(origin.topic(), origin.partition(), origin.offset()),
        letter.time(),
        letter.refused(),
        Letter.shown(letter.record().key()),
        headers,
        Letter.shown(letter.record().value()),
        letter.whole()
            ? DecodedValue.of(framing, letter.record().value(), letter.headers()).json()
            : null);
  }
}
