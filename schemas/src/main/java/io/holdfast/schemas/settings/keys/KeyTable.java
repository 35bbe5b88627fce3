package io.holdfast.schemas.settings.keys;

import java.util.ArrayList;
import java.util.List;

/** Makes keys and lists them in the order of the documentation, which is that of the source. */
final class KeyTable {
  private final List<Key<?>> keys = new ArrayList<>();

  /** The keys made so far. */
  List<Key<?>> all() {
    return List.copyOf(keys);
  }

  /** A key without a default. */
  <T> Key<T> of(String path, Kind<T> kind, String sentence) {
    Key<T> key = new Key<>(path, kind, sentence);
    keys.add(key);
    return key;
  }

  <T> Key<T> of(String path, T usual, Kind<T> kind, String sentence) {
    return of(path, kind, sentence).usual(usual);
  }

  Key<Boolean> truth(String path, boolean usual, String sentence) {
    return of(path, usual, new Kind.Truth(), sentence);
  }

  /** A whole number from {@code least} to {@code most}. */
  Key<Integer> whole(String path, int usual, int least, int most, String sentence) {
    return of(path, usual, new Kind.Whole(least, most), sentence);
  }

  /** One of some words; the first is the default. */
  Key<String> choice(String path, String sentence, String... words) {
    return of(path, words[0], new Kind.Choice(List.of(words)), sentence);
  }

  /** Several texts; none by default. */
  Key<List<String>> texts(String path, String sentence) {
    return of(path, List.of(), new Kind.Texts(), sentence);
  }

  /** Any text, without a default. */
  Key<String> text(String path, String sentence) {
    return of(path, new Kind.Text(), sentence);
  }

  /** A name that Kafka accepts, without a default. */
  Key<String> name(String path, String sentence) {
    return of(path, new Kind.KafkaName(), sentence);
  }
}
