package io.holdfast.auditor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * One model's part of the model topic, judged in the order of the log. What retention deleted is
 * missed without a word, and so is what compaction took away. Owned by one thread.
 */
final class ModelLog {
  private static final int FRAME = 10;

  private final String model;
  private final Schemas schemas;
  private final Findings findings;
  private final Map<String, GenericRecord> segments = new HashMap<>();
  private final Map<String, GenericRecord> manifests = new LinkedHashMap<>(); // by hash
  private final TreeMap<Long, String> newest =
      new TreeMap<>(); // the hash by version, none if it was deleted
  private final Map<String, Version> versions = new HashMap<>();
  private final Map<Integer, Long> learned = new HashMap<>(); // up to which offset, by partition
  private final Map<String, Long> seen =
      new HashMap<>(); // the number of each version that was ever there, by hash
  private final Map<String, String> unwalked =
      new LinkedHashMap<>(); // hashes of what is to be tried again, with the place
  private final List<Claim> claims = new ArrayList<>();
  private final List<GenericRecord> sinceHead = new ArrayList<>();
  private final int retained;
  private long heads;
  private long lastHead = -1;
  private @Nullable String tip;

  /** What a head named, and whether it had been there before. */
  private record Claim(String place, String what, long version, String hash, boolean there) {}

  ModelLog(String model, int retained, Schemas schemas, Findings findings) {
    this.model = model;
    this.retained = retained;
    this.schemas = schemas;
    this.findings = findings;
  }

  static String hex(Object fixed) {
    return HexFormat.of().formatHex(((GenericFixed) fixed).bytes());
  }

  long versions() {
    return newest.size();
  }

  long heads() {
    return heads;
  }

  /** Takes the next message of the topic. */
  void take(ConsumerRecord<byte[], byte[]> message) {
    String key = message.key() == null ? "" : new String(message.key(), UTF_8);
    if (!key.startsWith(model + "/")) {
      return;
    }
    String[] name = key.substring(model.length() + 1).split("/", 2);
    String place = message.topic() + "-" + message.partition() + "@" + message.offset();
    try {
      switch (name[0]) {
        case "segment" -> segment(name[1], message.value(), place);
        case "version" -> manifest(Long.parseLong(name[1]), message.value(), place);
        case "head" -> head(message.value(), place, false);
        case "heads" -> head(message.value(), place, true);
        default -> {} // bins and references, which no score depends on
      }
    } catch (UnreadableException e) {
      findings.add(Finding.Kind.UNREADABLE, place, key + ": " + e.getMessage());
    }
  }

  private void segment(String hash, byte @Nullable [] value, String place)
      throws UnreadableException {
    if (value == null) {
      segments.remove(hash);
      return;
    }
    if (!hash(value).equals(hash)) {
      findings.add(
          Finding.Kind.HASH,
          place,
          "the segment is " + hash(value) + ", not " + hash + ", as its key says");
    }
    segments.put(hash, schemas.contract("TreeSegment", value));
  }

  private void manifest(long number, byte @Nullable [] value, String place)
      throws UnreadableException {
    if (value == null) {
      String gone = newest.remove(number);
      if (gone != null) {
        manifests.remove(gone);
      }
      return;
    }
    GenericRecord manifest = schemas.contract("ModelManifest", value);
    String hash = hash(value);
    String known = newest.get(number);
    if (known != null && !known.equals(hash)) {
      findings.add(
          Finding.Kind.REWRITTEN,
          place,
          "version " + number + " was written again with other content");
    }
    if ((long) manifest.get("version") != number
        || !manifest.get("model").toString().equals(model)) {
      findings.add(
          Finding.Kind.REWRITTEN,
          place,
          "the key says version " + number + ", the manifest another");
    }
    newest.put(number, hash);
    manifests.put(hash, manifest);
    seen.put(hash, number);
    unwalked.put(hash, place);
    window(manifest, number, place);
    sinceHead.add(manifest);
  }

  /** Judges what only the whole of the log can tell. */
  void finish() {
    unwalked.forEach(
        (hash, place) -> {
          GenericRecord manifest = manifests.get(hash);
          if (manifest != null) { // and not deleted since
            walk(manifest, hash, place);
          }
        });
    long oldest = newest.isEmpty() ? 0 : Math.max(0, newest.lastKey() - retained + 1);
    newest
        .tailMap(oldest)
        .forEach(
            (number, hash) -> parent(number, Objects.requireNonNull(manifests.get(hash)), oldest));
    for (long number = oldest; !newest.isEmpty() && number < newest.lastKey(); number++) {
      if (!newest.containsKey(number) && !forgotten(number)) {
        findings.add(
            Finding.Kind.GAP, "version " + number, "version " + number + " is not on the topic");
      }
    }
    for (Claim claim : claims) {
      Long number = seen.get(claim.hash);
      boolean gone = number == null && (claim.version < oldest || forgotten(claim.version));
      if (!gone && (number == null || !claim.there || number != claim.version)) {
        findings.add(
            Finding.Kind.HEAD,
            claim.place,
            "the head's "
                + claim.what
                + " is "
                + claim.version
                + " with the hash "
                + claim.hash
                + ", which could not be read then");
      }
    }
  }

  private void walk(GenericRecord manifest, String hash, String place) {
    try {
      versions.put(hash, new Version(manifest, segments::get));
    } catch (UnreadableException e) {
      findings.add(
          Finding.Kind.TREES,
          place,
          "version " + manifest.get("version") + " cannot be walked: " + e.getMessage());
    }
  }

  private void parent(long number, GenericRecord manifest, long oldest) {
    Object parent = manifest.get("parentHash");
    long named = (long) manifest.get("parentVersion");
    Long there = parent == null ? null : seen.get(hex(parent));
    boolean gone =
        there == null
            && parent != null
            && (named < oldest // retention took it
                || (named == 0 && retrained(manifest))); // made anew, and not written
    boolean right =
        parent == null
            ? number == 0
            : there != null && (named < 0 || there == named) && there < number;
    if (!gone && !right) {
      findings.add(
          Finding.Kind.PARENT,
          "version " + number,
          "version "
              + number
              + " names version "
              + named
              + " as its parent by a hash that it does not have");
    }
  }

  private static boolean retrained(GenericRecord manifest) {
    return manifest.get("forgetting") instanceof GenericRecord forgetting
        && forgetting.get("retrained") != null;
  }

  /** Whether versions that were trained again without some rows stand in the place of that one. */
  private boolean forgotten(long number) {
    for (String hash : newest.tailMap(number, false).values()) {
      GenericRecord manifest = manifests.get(hash);
      if (manifest != null
          && retrained(manifest)
          && (long) manifest.get("parentVersion") <= number) {
        return true;
      }
    }
    return false;
  }

  private void window(GenericRecord manifest, long number, String place) {
    boolean again = retrained(manifest);
    for (Object one : (Collection<?>) manifest.get("window")) {
      GenericRecord range = (GenericRecord) one;
      int partition = (int) range.get("partition");
      long from = (long) range.get("from");
      long to = (long) range.get("to");
      if (again) {
        learned.put(partition, from); // a part of the log is learned from again
      }
      if (from < learned.getOrDefault(partition, 0L) || to < from) {
        findings.add(
            Finding.Kind.WINDOW,
            place,
            "version "
                + number
                + " learned from partition "
                + partition
                + " from offset "
                + from
                + ", of which all before "
                + learned.getOrDefault(partition, 0L)
                + " had been learned from");
      }
      learned.merge(partition, to, Math::max);
    }
  }

  private void head(byte @Nullable [] value, String place, boolean kept)
      throws UnreadableException {
    if (value == null) {
      if (!kept) {
        findings.add(Finding.Kind.HEAD, place, "the head was deleted");
      }
      return;
    }
    GenericRecord head = schemas.contract("ModelHead", value);
    long sequence = (long) head.get("sequence");
    if (kept) {
      named(head, "version", "hash", place);
      named(head, "shadowVersion", "shadowHash", place);
      named(head, "tipVersion", "tipHash", place);
      if (lastHead > 0 && sequence > lastHead + 1) {
        findings.add(Finding.Kind.GAP, place, "head " + sequence + " follows head " + lastHead);
      } else if (sequence <= lastHead) {
        findings.add(
            Finding.Kind.GAP, place, "head " + sequence + " came again, after head " + lastHead);
      }
      fencing(sequence == lastHead + 1, place);
      heads++;
      lastHead = Math.max(lastHead, sequence);
      tip = hex(head.get("tipHash") == null ? head.get("hash") : head.get("tipHash"));
      sinceHead.clear();
    } else if (sequence != lastHead && lastHead > 0) {
      findings.add(
          Finding.Kind.HEAD,
          place,
          "the head is number " + sequence + ", the newest kept is " + lastHead);
    } else {
      named(head, "version", "hash", place);
    }
  }

  /** What came since the last head grew from the tip that it named. */
  private void fencing(boolean follows, String place) {
    String from = tip;
    for (GenericRecord manifest : sinceHead) {
      Object parent = manifest.get("parentHash");
      if (follows
          && from != null
          && !retrained(manifest)
          && (parent == null || !hex(parent).equals(from))) {
        findings.add(
            Finding.Kind.FENCED,
            place,
            "version "
                + manifest.get("version")
                + " grew from another version than the tip of that time");
      }
      from = newest.get((long) manifest.get("version"));
    }
  }

  private void named(GenericRecord head, String number, String hash, String place) {
    Object version = head.get(number);
    if (version == null) {
      return;
    }
    String hex = head.get(hash) == null ? "" : hex(head.get(hash));
    claims.add(new Claim(place, number, (long) version, hex, seen.containsKey(hex)));
  }

  /** The version with that hash; null if there is none, or it was deleted. */
  @Nullable Version version(String hash) {
    return manifests.containsKey(hash) ? versions.get(hash) : null;
  }

  /** Whether a version of that number and hash may have been there and been deleted since. */
  boolean deleted(long number) {
    return newest.isEmpty() || (!newest.containsKey(number) && number < newest.lastKey());
  }

  /** The number of the version with that hash; -1 if there is none. */
  long number(String hash) {
    GenericRecord manifest = manifests.get(hash);
    return manifest == null ? -1 : (long) manifest.get("version");
  }

  /** The names of classes of the newest version; none if they are numbers. */
  List<String> classes() {
    Version last = newest.isEmpty() ? null : versions.get(newest.lastEntry().getValue());
    return last == null ? List.of() : last.classes();
  }

  private static String hash(byte[] value) {
    try {
      int frame = value.length > 0 && value[0] == 0 ? 5 : FRAME;
      byte[] body = Arrays.copyOfRange(value, Math.min(frame, value.length), value.length);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
