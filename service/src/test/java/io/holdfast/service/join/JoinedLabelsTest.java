package io.holdfast.service.join;

import static io.holdfast.service.TopologyRun.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.service.Bikes;
import java.time.Instant;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** What labels and their records must say to make an example; see {@link JoinFixture}. */
final class JoinedLabelsTest extends JoinFixture {
  @Test
  void labelOfTheUsersOwn_isReadByItsPath() throws Exception {
    record("a", SECOND);
    send("labels", "a", Bikes.counted(7.0, "WINTER"), SECOND);

    Example example = examples.decode(settled().read("bikes.examples").value());
    assertThat(example.getLabel()).isEqualTo(7);
    assertThat(example.getEnvironment()).as("the label's own environment wins").isEqualTo("WINTER");
  }

  @Test
  void labelContract_overridesEnvironmentAndWeight() throws Exception {
    record("a", SECOND);
    send("labels", "a", labels.encode(new Label(7.0, "AUTUMN", 3.0)), SECOND);

    Example example = examples.decode(settled().read("bikes.examples").value());
    assertThat(example.getEnvironment()).isEqualTo("AUTUMN");
    assertThat(example.getWeight()).isEqualTo(3);
  }

  @Test
  void anchors_comeWithTheLabelOrTheRecord() throws Exception {
    restart("labels.in", "topic", "labels.wait", "10s", "anchors", "temperature,weight");
    // The record alone has a temperature; the label's own weight wins.
    record("a", Bikes.ride(25.0, "SUMMER", null, 2.0), SECOND);
    send("labels", "a", Bikes.counted(7.0, null, 4.0), SECOND);
    // Nobody says the weight.
    record("b", Bikes.ride(25.0, "SUMMER", null, null), SECOND);
    send("labels", "b", Bikes.counted(7.0, null), SECOND);

    Example example = examples.decode(settled().read("bikes.examples").value());
    assertThat(example.getAnchors()).containsExactly(25.0, 4.0);
    assertThat(run.all("bikes.examples")).isEmpty();
    assertThat(deadLetters()).containsExactly("BAD_ANCHOR");
    assertThat(count("MALFORMED")).isEqualTo(1);
  }

  @Test
  void labelWithoutKey_isADeadLetter() {
    run.input("bikes.labels")
        .pipeInput(new TestRecord<>(null, labels.encode(new Label(7.0, null, null))));

    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.REASON)).isEqualTo("NO_KEY");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo("a label without a key belongs to no record");
    assertThat(count("NO_KEY")).isEqualTo(1);
  }

  @Test
  void correlationIdOfAHeader_joinsWhateverTheKeys() throws Exception {
    restart("labels.in", "topic", "labels.correlation.label", "header trip");
    record("t7", SECOND);
    byte[] value = labels.encode(new Label(7.0, null, null));
    run.input("bikes.labels")
        .pipeInput(
            new TestRecord<>(
                "other".getBytes(UTF_8),
                value,
                new RecordHeaders().add("trip", "t7".getBytes(UTF_8)),
                Instant.ofEpochMilli(SECOND)));
    label("t7", 8, SECOND);

    assertThat(labelOf(settled().read("bikes.examples"))).isEqualTo(7);
    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo("a label without a header trip belongs to no record");
  }

  @Test
  void correlationIdOfAField_joinsWhateverTheKeys() throws Exception {
    restart("labels.in", "topic", "labels.correlation.label", "field season");
    record("t7", SECOND);
    send("labels", null, Bikes.counted(7.0, "t7"), SECOND);
    label("t7", 8, SECOND); // our own contract has no such field

    assertThat(labelOf(settled().read("bikes.examples"))).isEqualTo(7);
    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo("a label without a value in the field season belongs to no record");
  }

  @Test
  void badLabels_areDeadLettersByReasonAndTheRecordGoesOnWaiting() {
    record("a", SECOND);
    send("labels", "a", "not avro".getBytes(UTF_8), SECOND);
    send("labels", "a", Bikes.counted(null, null), SECOND);
    send("labels", "a", Bikes.counted("many", null), SECOND);
    send("labels", "a", Bikes.counted(Double.NaN, null), SECOND);
    send("labels", "a", labels.encode(new Label(1.0, null, 0.0)), SECOND);
    send("labels", "a", null, SECOND);
    label("a", 7, 2 * SECOND);

    assertThat(settled().all("bikes.examples")).hasSize(1);
    assertThat(deadLetters())
        .containsExactly(
            "UNKNOWN_FRAMING", "MISSING_LABEL", "BAD_LABEL", "BAD_LABEL", "BAD_WEIGHT", "NO_VALUE");
    assertThat(count("MALFORMED")).isEqualTo(6);
  }

  @Test
  void binaryObjective_takesZeroAndOneOnly() {
    restart("objective", "logistic", "labels.in", "topic", "labels.wait", "10s");
    record("a", SECOND);
    label("a", 2, SECOND);
    label("a", 1, SECOND);

    assertThat(settled().all("bikes.examples")).hasSize(1);
    assertThat(deadLetters()).containsExactly("BAD_LABEL");
  }

  @Test
  void labelTopic_saysClassesByName_orByNumberInOurContract() throws Exception {
    restart(
        "objective",
        "softmax",
        "classes",
        "red,green,blue",
        "labels.in",
        "topic",
        "labels.wait",
        "10s");
    record("a", SECOND);
    send("labels", "a", Bikes.counted("mauve", null), SECOND);
    send("labels", "a", Bikes.counted("blue", null), SECOND);
    record("b", SECOND);
    label("b", 1, SECOND);

    settled();
    assertThat(examples.decode(run.read("bikes.examples").value()).getLabel()).isEqualTo(2);
    assertThat(examples.decode(run.read("bikes.examples").value()).getLabel()).isEqualTo(1);
    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo("labels must be one of red, green, blue: mauve");
  }

  @Test
  void recordWithABadWeight_costsItsLabel() {
    record("a", Bikes.ride(25.0, "SUMMER", null, -1.0), SECOND);
    label("a", 7, SECOND);

    assertThat(settled().all("bikes.examples")).isEmpty();
    assertThat(deadLetters()).containsExactly("BAD_WEIGHT");
    assertThat(count("MALFORMED")).isEqualTo(1);
    assertThat(withoutLabel("UNUSABLE")).isEqualTo(1);
  }

  @Test
  void messageOfSomebodyElse_isADeadLetterThatSaysSo() {
    send("join", "a", "not ours".getBytes(UTF_8), SECOND);

    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.REASON)).isEqualTo("UNKNOWN_FRAMING");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo(
            "topic bikes.join is for the service's own messages alone: the message has format 110,"
                + " and format 1 is read");
  }

  @Test
  void labelThatCannotBeTrainedOn_isNotUsed_andTheRecordGoesOnWaiting() {
    record("a", SECOND);
    label("a", 1e300, SECOND);
    label("a", 7, 2 * SECOND);

    assertThat(settled().all("bikes.examples")).hasSize(1);
    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(header(letter, DeadLetterMessage.OF)).isEqualTo("label");
    assertThat(header(letter, DeadLetterMessage.MESSAGE))
        .isEqualTo("labels must be so small that weight times loss is below 1.0E100: 1.0E300");
    assertThat(count("USED")).isEqualTo(1);
    assertThat(count("MALFORMED")).isEqualTo(1);
  }

  @Test
  void labelTooLargeToBeWrittenAgain_isNotHeld() {
    send("labels", "a", new byte[ModelTopics.MAX_RECORD_BYTES], SECOND);

    assertThat(settled().all("bikes.examples")).isEmpty();
    assertThat(deadLetters()).containsExactly("LIMIT_EXCEEDED");
  }
}
