package io.holdfast.auditor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.avro.SchemaParser;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Reads a model's topics once each and says what is not as promised. The topics may be written to
 * meanwhile: what was not committed when the audit began is not judged. Holds 33 bytes for each
 * record that it judges, and some 100 for each label; what an earlier audit has proven is not read
 * again. Owned by one thread.
 */
public final class Auditor {
  private static final double NEAR = 1e-9;

  /** Instead of the digest of a record that its example may hold in another framing. */
  private static final long ANY = 1;

  private final AuditPlan plan;
  private final Consumer<String> progress;
  private final Findings findings = new Findings();
  private final Schemas schemas = new Schemas();
  private final Values values;
  private final ModelLog versions;
  private final Map<Integer, Outcomes> outcomes = new TreeMap<>();
  private final Map<Long, Version> byDigest = new HashMap<>();
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final Map<String, Long> unjudged = new LinkedHashMap<>();
  private final Map<Integer, Long> firstJudged =
      new HashMap<>(); // what is before it may have lost its outcome
  private final Map<Integer, BitSet> used = new HashMap<>(); // records that have an example
  private final LabelBook labels;
  private final Tail scored = new Tail();
  private final Tail lettered = new Tail();
  private final Tail exemplified = new Tail();
  private Map<TopicPartition, Long> committed = Map.of();
  private Proven proven;

  private Auditor(AuditPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
    proven = plan.proven();
    values = new Values(plan.missing());
    versions = new ModelLog(plan.model(), plan.retained(), schemas, findings);
    labels = new LabelBook(plan, schemas, values);
  }

  /**
   * Judges what a plan names.
   *
   * @param progress is told what is read, a few words each
   */
  public static Verdict run(AuditPlan plan, Consumer<String> progress)
      throws ExecutionException, InterruptedException {
    return new Auditor(plan, progress).run();
  }

  private Verdict run() throws ExecutionException, InterruptedException {
    for (String schema : plan.schemas()) {
      schemas.add(new SchemaParser().parse(schema).mainSchema());
    }
    committed = committed();
    AuditPlan.Topics topics = plan.topics();
    try (var log = new TopicLog(plan.kafka())) {
      // What follows from something ends before that does: whatever is read has its reason among
      // what is read.
      Stretch examples = stretch(log, topics.examples());
      Stretch scores = stretch(log, topics.scores());
      Stretch letters = stretch(log, topics.deadLetters());
      Stretch labelled = stretch(log, topics.labels());
      Stretch records = records(log);
      records.begins.forEach(
          (partition, first) ->
              outcomes.put(
                  partition.partition(),
                  new Outcomes(first, records.ends.getOrDefault(partition, first))));
      read(
          log,
          stretch(log, topics.schemas()),
          message -> schemas.add(text(message.key()), message.value()));
      read(log, stretch(log, topics.models()), versions::take);
      versions.finish();
      read(log, scores, this::score);
      read(log, letters, this::letter);
      boolean cut = scores.cut() || letters.cut();
      outcomes.forEach(
          (partition, of) -> firstJudged.put(partition, cut ? of.firstOutcome() : of.first()));
      read(log, records, this::record);
      records.ends.keySet().forEach(this::complete);
      if (!plan.label().inRecord()) {
        labels.cut(labelled.cut());
        read(log, labelled, labels::take);
      }
      read(log, examples, this::example);
      if (findings.counts().isEmpty()) {
        proven =
            new Settled(outcomes, firstJudged, used, plan.label())
                .proven(plan.proven(), exemplified);
        proven = scored.proven(proven, scores.ends);
        proven = lettered.proven(proven, letters.ends);
        proven = exemplified.proven(proven, examples.ends);
      }
    }
    if (proven.before() > 0) {
      counts.put("proven", proven.before());
    }
    counts.put("versions", versions.versions());
    counts.put("heads", versions.heads());
    List<String> sentences = new ArrayList<>(labels.unread());
    unjudged.forEach((why, count) -> sentences.add(count + " " + why));
    sentences.add("whether training again gives the same versions: holdfast models rebuild tells");
    return new Verdict(plan.model(), counts, findings.counts(), findings.kept(), sentences, proven);
  }

  /** A part of a topic's log. */
  private record Stretch(
      String topic,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends,
      boolean cut) {}

  /** From where the earlier audit says on; {@code cut} if what stood there is gone. */
  private Stretch stretch(TopicLog log, String topic) {
    List<TopicPartition> partitions = log.partitions(topic);
    Map<TopicPartition, Long> begins = log.begins(partitions, null);
    Map<TopicPartition, Long> ends = log.ends(partitions);
    Map<String, Long> starts = plan.proven().starts();
    boolean cut =
        begins.entrySet().stream()
            .anyMatch(one -> one.getValue() > starts.getOrDefault(one.getKey().toString(), 0L));
    begins.replaceAll(
        (partition, first) -> Math.max(first, starts.getOrDefault(partition.toString(), 0L)));
    ends.forEach((partition, end) -> notBefore(partition.toString(), end));
    return new Stretch(topic, begins, ends, cut);
  }

  private void notBefore(String partition, long end) {
    if (end < plan.proven().seen().getOrDefault(partition, 0L)) {
      throw new IllegalArgumentException(
          partition
              + " ends at "
              + end
              + ", and the earlier audit had read to "
              + plan.proven().seen().get(partition)
              + ": the topic is another now, audit it without the earlier one's file");
    }
  }

  private Stretch records(TopicLog log) {
    List<TopicPartition> partitions = log.partitions(plan.topics().records());
    Map<TopicPartition, Long> begins = log.begins(partitions, plan.span().from());
    begins.replaceAll(
        (partition, first) ->
            Math.max(first, plan.proven().records().getOrDefault(partition.partition(), 0L)));
    return new Stretch(plan.topics().records(), begins, log.ends(partitions), false);
  }

  /** Whether a message is newer than the earlier audit. */
  private boolean isNew(ConsumerRecord<byte[], byte[]> message) {
    String partition = message.topic() + "-" + message.partition();
    return message.offset() >= plan.proven().seen().getOrDefault(partition, 0L);
  }

  /** Of a record before those that are judged: a second outcome if the first was seen before. */
  private void again(ConsumerRecord<byte[], byte[]> message, int partition, long offset) {
    if (offset < plan.proven().records().getOrDefault(partition, 0L) && isNew(message)) {
      findings.add(
          Finding.Kind.RECORD_DOUBLED,
          place(message),
          "the record at offset "
              + offset
              + " of partition "
              + partition
              + " had its outcome when it was audited before");
    }
  }

  private void read(TopicLog log, Stretch stretch, Consumer<ConsumerRecord<byte[], byte[]>> taker) {
    progress.accept(stretch.topic);
    log.read(stretch.begins, stretch.ends, taker);
  }

  private Map<TopicPartition, Long> committed() throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> places = new HashMap<>();
    try (Admin admin = Admin.create(new HashMap<String, Object>(plan.kafka()))) {
      Map<TopicPartition, OffsetAndMetadata> found =
          admin.listConsumerGroupOffsets(plan.scorerGroup()).partitionsToOffsetAndMetadata().get();
      found.forEach(
          (partition, place) -> places.put(partition, place == null ? 0L : place.offset()));
    }
    return places;
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, UTF_8);
  }

  private static String place(ConsumerRecord<byte[], byte[]> message) {
    return message.topic() + "-" + message.partition() + "@" + message.offset();
  }

  private void count(String name) {
    counts.merge(name, 1L, Long::sum);
  }

  private void score(ConsumerRecord<byte[], byte[]> message) {
    GenericRecord score;
    try {
      score = schemas.contract("Score", message.value());
    } catch (UnreadableException e) {
      findings.add(
          Finding.Kind.UNREADABLE, place(message), "the score cannot be read: " + e.getMessage());
      return;
    }
    count("scores");
    int partition = (int) score.get("sourcePartition");
    Outcomes of = outcomes.get(partition);
    long offset = (long) score.get("sourceOffset");
    scored.saw(message, partition, offset);
    if (of == null || offset < 0 || offset >= of.end()) {
      nothing(message, partition, offset);
      return;
    }
    if (!of.has(offset)) {
      again(message, partition, offset);
      return;
    }
    String hash = ModelLog.hex(score.get("modelHash"));
    long number = (long) score.get("version");
    Version version = versions.version(hash);
    double[] raw = Digests.doubles(score.get("rawScores"));
    if (version != null && versions.number(hash) == number) {
      byDigest.putIfAbsent(Digests.of(hash), version);
      linked(message, score, version, raw);
    } else if (version != null || !versions.deleted(number)) {
      findings.add(
          Finding.Kind.SCORE_VERSION,
          place(message),
          "the score names version " + number + " with the hash " + hash + ", and there is none");
    }
    long digest = Digests.of(raw, Bounds.said(score));
    of.scored(offset, digest, Digests.of(hash), Digests.of(message.key()));
  }

  /** Whether prediction, probabilities and label follow from the raw scores. */
  private void linked(
      ConsumerRecord<byte[], byte[]> message, GenericRecord score, Version version, double[] raw) {
    Version.Scored right;
    try {
      right = version.linked(raw);
    } catch (UnreadableException e) {
      findings.add(
          Finding.Kind.SCORE_DIFFERS,
          place(message),
          "the score is none of its version: " + e.getMessage());
      return;
    }
    double[] probabilities = Digests.doubles(score.get("probabilities"));
    boolean same =
        same((double) score.get("prediction"), right.prediction(), right.exact())
            && probabilities.length == right.probabilities().length;
    for (int k = 0; same && k < probabilities.length; k++) {
      same = same(probabilities[k], right.probabilities()[k], right.exact());
    }
    Object label = score.get("label");
    boolean named =
        label == null || right.label() == null || label.toString().equals(right.label());
    if (!same || !named) {
      findings.add(
          Finding.Kind.SCORE_DIFFERS,
          place(message),
          "the prediction "
              + score.get("prediction")
              + ", the probabilities or the label do not follow from the raw scores");
    }
  }

  private static boolean same(double given, double right, boolean exact) {
    return exact
        ? Double.doubleToLongBits(given) == Double.doubleToLongBits(right)
        : Math.abs(given - right) <= NEAR;
  }

  private void nothing(ConsumerRecord<byte[], byte[]> message, int partition, long offset) {
    findings.add(
        Finding.Kind.OUTCOME_OF_NOTHING,
        place(message),
        "it is of partition "
            + partition
            + ", offset "
            + offset
            + " of the records, where no record is");
  }

  private void letter(ConsumerRecord<byte[], byte[]> message) {
    if (!header(message, "__streams.errors.topic").equals(plan.topics().records())
        || !header(message, "holdfast.of").equals("record")) {
      return;
    }
    count("deadLetters");
    try {
      int partition = Integer.parseInt(header(message, "__streams.errors.partition"));
      Outcomes of = outcomes.get(partition);
      long offset = Long.parseLong(header(message, "__streams.errors.offset"));
      lettered.saw(message, partition, offset);
      if (of == null || offset < 0 || offset >= of.end()) {
        nothing(message, partition, offset);
      } else if (of.has(offset)) {
        of.letter(offset);
      } else {
        again(message, partition, offset);
      }
    } catch (NumberFormatException e) {
      findings.add(
          Finding.Kind.UNREADABLE, place(message), "the headers of the dead letter name no record");
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
    Header header = message.headers().lastHeader(name);
    return header == null ? "" : text(header.value());
  }

  private void record(ConsumerRecord<byte[], byte[]> message) {
    Outcomes of = java.util.Objects.requireNonNull(outcomes.get(message.partition()));
    long offset = message.offset();
    boolean done =
        offset
            < committed.getOrDefault(new TopicPartition(message.topic(), message.partition()), 0L);
    if (!plan.span().has(message.timestamp())) {
      of.record(offset, message.timestamp(), of.key(offset), ANY);
      return;
    }
    count("records");
    int outcomesOfIt = of.count(offset);
    boolean before = offset < firstJudged.getOrDefault(message.partition(), 0L);
    if (outcomesOfIt == 0 && done && !before) {
      findings.add(
          Finding.Kind.RECORD_LOST, place(message), "the record has no score and no dead letter");
    } else if (outcomesOfIt > 1) {
      findings.add(
          Finding.Kind.RECORD_DOUBLED,
          place(message),
          "the record has " + outcomesOfIt + " outcomes");
    } else if (outcomesOfIt == 0) {
      count(done ? "before" : "underway");
    }
    long ofKey = Digests.of(message.key());
    if (of.score(offset) != 0) {
      if (of.key(offset) != ofKey) {
        findings.add(
            Finding.Kind.SCORE_KEY, place(message), "the score of the record has another key");
      }
      recompute(message, of);
    }
    GenericRecord read = labels.byField() ? readable(message) : null;
    byte[] id = plan.label().inRecord() ? null : labels.recordId(message, read);
    boolean whole =
        plan.topics().asRecords().form() == AuditPlan.Form.FRAMED && single(message.value());
    of.record(
        offset, message.timestamp(), Digests.of(id), whole ? Digests.of(message.value()) : ANY);
  }

  private @Nullable GenericRecord readable(ConsumerRecord<byte[], byte[]> message) {
    try {
      return schemas.record(message.value(), message.headers(), plan.topics().asRecords());
    } catch (UnreadableException e) {
      return null;
    }
  }

  private void recompute(ConsumerRecord<byte[], byte[]> message, Outcomes of) {
    Version version = byDigest.get(of.version(message.offset()));
    if (version == null) {
      unjudged.merge("scores are of versions that the model topic no longer holds", 1L, Long::sum);
      return;
    }
    try {
      GenericRecord record =
          schemas.record(message.value(), message.headers(), plan.topics().asRecords());
      double[] raw = version.raw(record, values);
      count("recomputed");
      if (!version.gave(record, values, raw, of.score(message.offset()))) {
        findings.add(
            Finding.Kind.SCORE_DIFFERS,
            place(message),
            "the version that the score names gives this record the raw scores "
                + Arrays.toString(raw)
                + ", and other ones, or other bounds, were served");
      }
    } catch (UnreadableException e) {
      unjudged.merge(
          "scores are of records that the auditor cannot read, such as: " + e.getMessage(),
          1L,
          Long::sum);
    }
  }

  /** Outcomes of what is not there, once all records have been read. */
  private void complete(TopicPartition partition) {
    Outcomes of = java.util.Objects.requireNonNull(outcomes.get(partition.partition()));
    for (long offset = of.first(); offset < of.end(); offset++) {
      if (of.count(offset) > 0 && of.value(offset) == 0) {
        findings.add(
            Finding.Kind.OUTCOME_OF_NOTHING,
            partition + "@" + offset,
            "there is a score or a dead letter of it, and no record");
      }
    }
  }

  private void example(ConsumerRecord<byte[], byte[]> message) {
    GenericRecord example;
    try {
      example = schemas.contract("Example", message.value());
    } catch (UnreadableException e) {
      findings.add(
          Finding.Kind.UNREADABLE, place(message), "the example cannot be read: " + e.getMessage());
      return;
    }
    int partition = (int) example.get("sourcePartition");
    Outcomes of = outcomes.get(partition);
    long offset = (long) example.get("sourceOffset");
    exemplified.saw(message, partition, offset);
    if (of != null && offset < of.first()) {
      if (offset < plan.proven().records().getOrDefault(partition, 0L) && isNew(message)) {
        unjudged.merge("examples are of records that were audited before", 1L, Long::sum);
      }
      return;
    }
    count("examples");
    if (of == null || !of.has(offset) || of.value(offset) == 0) {
      findings.add(
          Finding.Kind.EXAMPLE_RECORD,
          place(message),
          "the example is of a record that is not there");
      return;
    }
    BitSet ofPartition = used.computeIfAbsent(partition, any -> new BitSet());
    int at = Math.toIntExact(offset - of.first());
    if (ofPartition.get(at)) {
      findings.add(
          Finding.Kind.EXAMPLE_DOUBLED,
          place(message),
          "the record at offset " + offset + " has an example already");
    }
    ofPartition.set(at);
    byte[] record = bytes(example.get("record"));
    if (of.value(offset) != ANY && of.value(offset) != Digests.of(record)) {
      findings.add(
          Finding.Kind.EXAMPLE_RECORD,
          place(message),
          "the example holds another record than offset " + offset + " does");
    }
    double[] raw = Digests.doubles(example.get("servedRawScores"));
    boolean sameScore =
        of.score(offset) == Digests.of(raw, Bounds.said(example))
            && of.version(offset) == Digests.of(ModelLog.hex(example.get("servedHash")));
    if (of.score(offset) != 0 && !sameScore) {
      findings.add(
          Finding.Kind.EXAMPLE_SERVED,
          place(message),
          "the example says another score was served than was");
    }
    if (!plan.label().inRecord()) {
      labels
          .use(of.key(offset), (double) example.get("label"), versions.classes())
          .ifPresent(finding -> findings.add(finding, place(message), LabelBook.sentence(finding)));
    }
  }

  private static boolean single(byte @Nullable [] value) {
    return value != null && value.length > 1 && value[0] == (byte) 0xC3 && value[1] == 1;
  }

  private static byte[] bytes(Object buffer) {
    ByteBuffer from = ((ByteBuffer) buffer).duplicate();
    byte[] all = new byte[from.remaining()];
    from.get(all);
    return all;
  }
}
