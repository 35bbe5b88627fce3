package io.holdfast.auditor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Which labels came for which ids, and how often they were used. Owned by one thread. */
final class LabelBook {
  private final AuditPlan.Labels plan;
  private final AuditPlan.Written as;
  private final Schemas schemas;
  private final Values values;
  private final Map<Long, Sent> byId = new HashMap<>();
  private long unread;
  private boolean cut;

  /** A label in our own format: the number of a class, and not its name. */
  private record Code(double number) {}

  /** The labels of an id. */
  private static final class Sent {
    private final List<Object> labels = new ArrayList<>(1);
    private int uses;
  }

  LabelBook(AuditPlan plan, Schemas schemas, Values values) {
    this.plan = plan.label();
    as = plan.topics().asLabels();
    this.schemas = schemas;
    this.values = values;
  }

  /** Whether a record's id is one of its fields. */
  boolean byField() {
    return plan.recordId().startsWith("field ");
  }

  /** Says whether the topic has lost what stood at its beginning. */
  void cut(boolean lost) {
    cut = lost;
  }

  byte @Nullable [] recordId(ConsumerRecord<byte[], byte[]> message, @Nullable GenericRecord read) {
    return id(plan.recordId(), message, read);
  }

  private static byte @Nullable [] id(
      String place, ConsumerRecord<byte[], byte[]> message, @Nullable GenericRecord read) {
    if (place.equals("key")) {
      return message.key();
    }
    String name = place.substring(place.indexOf(' ') + 1);
    if (place.startsWith("header ")) {
      Header header = message.headers().lastHeader(name);
      return header == null ? null : header.value();
    }
    String text = read == null ? null : Values.name(read, name);
    return text == null ? null : text.getBytes(UTF_8);
  }

  void take(ConsumerRecord<byte[], byte[]> message) {
    try {
      GenericRecord read = schemas.record(message.value(), message.headers(), as);
      boolean ours = read.getSchema().getFullName().equals("io.holdfast.schemas.avro.Label");
      Object label = values.label(read, ours ? "label" : plan.field());
      if (label != null) {
        byId.computeIfAbsent(Digests.of(id(plan.labelId(), message, read)), any -> new Sent())
            .labels
            .add(ours && label instanceof Double number ? new Code(number) : label);
      }
    } catch (UnreadableException e) {
      unread++;
    }
  }

  /** Uses a label of an id for an example; what is wrong with that, if anything. */
  Optional<Finding.Kind> use(long id, double label, List<String> classes) {
    Sent sent = byId.get(id);
    boolean came =
        sent != null && sent.labels.stream().anyMatch(one -> number(one, classes) == label);
    if (sent == null || !came) {
      return cut || unread > 0 ? Optional.empty() : Optional.of(Finding.Kind.LABEL_UNSENT);
    }
    sent.uses++;
    return sent.uses > sent.labels.size()
        ? Optional.of(Finding.Kind.LABEL_REUSED)
        : Optional.empty();
  }

  private static double number(Object label, List<String> classes) {
    if (label instanceof Code code) {
      return code.number;
    }
    if (!classes.isEmpty()) {
      String name =
          label instanceof Double number && number == Math.rint(number)
              ? Long.toString(number.longValue())
              : label.toString();
      return classes.indexOf(name);
    }
    return label instanceof Double number ? number : Double.NaN;
  }

  static String sentence(Finding.Kind kind) {
    return kind == Finding.Kind.LABEL_UNSENT
        ? "nobody sent that label for the record's id"
        : "there are more examples of the record's id than labels came for it";
  }

  /** What could not be judged, a sentence each. */
  List<String> unread() {
    List<String> sentences = new ArrayList<>();
    if (unread > 0) {
      sentences.add(
          unread
              + " labels cannot be read by the auditor, so it does not say which examples have a"
              + " label that nobody sent");
    } else if (cut) {
      sentences.add(
          "the oldest labels are gone, so the auditor does not say which examples have a label that"
              + " nobody sent");
    }
    return sentences;
  }
}
