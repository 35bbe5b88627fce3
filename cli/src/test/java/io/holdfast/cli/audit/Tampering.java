package io.holdfast.cli.audit;

import io.holdfast.auditor.Finding.Kind;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.ScoreBounds;
import io.holdfast.schemas.avro.ScoreUncertainty;
import io.holdfast.schemas.avro.TreeSegment;
import io.holdfast.schemas.wire.Contracts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A way of tampering with a topic.
 *
 * @param kind what must be found
 * @param change what becomes of the messages of the topic
 */
record Tampering(String name, String topic, Kind kind, UnaryOperator<List<Message>> change) {
  static Stream<Tampering> all() {
    return Stream.of(scores(), outcomes(), examples(), recordsAndLabels(), versions(), heads())
        .flatMap(some -> some);
  }

  private static Stream<Tampering> scores() {
    String scores = "m.scores";
    return Stream.of(
        new Tampering("a dropped score", scores, Kind.RECORD_LOST, all -> Message.without(all, 40)),
        new Tampering(
            "a score twice", scores, Kind.RECORD_DOUBLED, all -> Message.with(all, all.get(40))),
        new Tampering(
            "a flipped bit in a raw score",
            scores,
            Kind.SCORE_DIFFERS,
            all -> Message.changed(all, 40, Contracts.SCORE, Tampering::flipRaw)),
        new Tampering(
            "a flipped bit in a probability",
            scores,
            Kind.SCORE_DIFFERS,
            all -> Message.changed(all, 40, Contracts.SCORE, Tampering::flipProbability)),
        new Tampering(
            "another class promised",
            scores,
            Kind.SCORE_DIFFERS,
            all -> Message.changed(all, lastSure(all), Contracts.SCORE, Tampering::promiseMore)),
        new Tampering(
            "another class named",
            scores,
            Kind.SCORE_DIFFERS,
            all ->
                Message.changed(
                    all,
                    40,
                    Contracts.SCORE,
                    score ->
                        Score.newBuilder(score)
                            .setLabel(score.getLabel().equals("small") ? "large" : "small")
                            .build())),
        new Tampering(
            "another version's number",
            scores,
            Kind.SCORE_VERSION,
            all ->
                Message.changed(
                    all,
                    40,
                    Contracts.SCORE,
                    score -> Score.newBuilder(score).setVersion(score.getVersion() + 1).build())),
        new Tampering(
            "another version's number and hash",
            scores,
            Kind.SCORE_DIFFERS,
            all -> Message.changed(all, 0, Contracts.SCORE, score -> of(score, lastScore(all)))));
  }

  private static Stream<Tampering> outcomes() {
    String scores = "m.scores";
    return Stream.of(
        new Tampering(
            "another key",
            scores,
            Kind.SCORE_KEY,
            all -> Message.replaced(all, 40, all.get(40).keyed("r1"))),
        new Tampering(
            "a score of no record",
            scores,
            Kind.OUTCOME_OF_NOTHING,
            all ->
                Message.with(
                    all,
                    Message.changed(
                            all,
                            40,
                            Contracts.SCORE,
                            score -> Score.newBuilder(score).setSourceOffset(99_999).build())
                        .get(40))),
        new Tampering(
            "a score cut short",
            scores,
            Kind.UNREADABLE,
            all ->
                Message.replaced(
                    all, 40, all.get(40).with(Arrays.copyOf(all.get(40).value(), 30)))),
        new Tampering(
            "a dead letter of what was scored",
            "m.dead-letters",
            Kind.RECORD_DOUBLED,
            all -> Message.with(all, letter())));
  }

  private static Stream<Tampering> examples() {
    String examples = "m.examples";
    return Stream.of(
        new Tampering(
            "an example twice",
            examples,
            Kind.EXAMPLE_DOUBLED,
            all -> Message.with(all, all.get(40))),
        new Tampering(
            "an example of another record",
            examples,
            Kind.EXAMPLE_RECORD,
            all ->
                Message.changed(
                    all,
                    40,
                    Contracts.EXAMPLE,
                    one ->
                        Example.newBuilder(one).setRecord(example(all, 41).getRecord()).build())),
        new Tampering(
            "an example of no record",
            examples,
            Kind.EXAMPLE_RECORD,
            all ->
                Message.changed(
                    all,
                    40,
                    Contracts.EXAMPLE,
                    one -> Example.newBuilder(one).setSourceOffset(88_888).build())),
        new Tampering(
            "another score said to be served",
            examples,
            Kind.EXAMPLE_SERVED,
            all ->
                Message.changed(
                    all,
                    40,
                    Contracts.EXAMPLE,
                    one ->
                        Example.newBuilder(one)
                            .setServedRawScores(List.of(1.0, 2.0, 3.0))
                            .build())),
        new Tampering(
            "another label",
            examples,
            Kind.LABEL_UNSENT,
            all ->
                Message.changed(
                    all,
                    40,
                    Contracts.EXAMPLE,
                    one -> Example.newBuilder(one).setLabel((one.getLabel() + 1) % 3).build())));
  }

  private static Stream<Tampering> recordsAndLabels() {
    return Stream.of(
        new Tampering(
            "a flipped bit in a record",
            "m.records",
            Kind.EXAMPLE_RECORD,
            all -> Message.replaced(all, 40, all.get(40).with(flipped(all.get(40).value(), -3)))),
        new Tampering(
            "a record's key changed, so that its label is another's",
            "m.records",
            Kind.LABEL_UNSENT,
            all -> Message.replaced(all, 40, all.get(40).keyed("nobody"))),
        new Tampering(
            "a label used for two records", "m.records", Kind.LABEL_REUSED, Tampering::twoOfOneKey),
        new Tampering(
            "a label dropped", "m.labels", Kind.LABEL_UNSENT, all -> Message.without(all, 40)));
  }

  private static Stream<Tampering> versions() {
    String models = "holdfast.models";
    return Stream.of(
        new Tampering(
            "a flipped bit in a segment",
            models,
            Kind.HASH,
            all -> Message.at(all, "m/segment/", 1, one -> one.with(flipped(one.value(), -9)))),
        new Tampering(
            "a segment dropped",
            models,
            Kind.TREES,
            all -> Message.at(all, "m/segment/", 1, one -> null)),
        new Tampering(
            "a tree with a cycle",
            models,
            Kind.TREES,
            all ->
                Message.at(
                    all,
                    "m/segment/",
                    1,
                    one ->
                        one.with(
                            Contracts.SEGMENT.encode(
                                cyclic(Message.read(Contracts.SEGMENT, one)))))),
        new Tampering(
            "another parent",
            models,
            Kind.PARENT,
            all ->
                Message.manifest(
                    all, 2, one -> ModelManifest.newBuilder(one).setParentVersion(0).build())),
        new Tampering(
            "a version dropped",
            models,
            Kind.GAP,
            all -> Message.at(all, "m/version/2", 0, one -> null)),
        new Tampering(
            "a version written again",
            models,
            Kind.REWRITTEN,
            all ->
                Message.with(
                    all,
                    Message.manifest(
                            all, 2, one -> ModelManifest.newBuilder(one).setSeed(77).build())
                        .stream()
                        .filter(one -> one.key().equals("m/version/2"))
                        .findFirst()
                        .orElseThrow())));
  }

  private static Stream<Tampering> heads() {
    String models = "holdfast.models";
    return Stream.of(
        new Tampering(
            "a window learned from twice",
            models,
            Kind.WINDOW,
            all ->
                Message.manifest(
                    all,
                    newest(all),
                    one ->
                        ModelManifest.newBuilder(one).setWindow(whole(one.getWindow())).build())),
        new Tampering(
            "a version of a trainer that was fenced",
            models,
            Kind.FENCED,
            all ->
                Message.manifest(
                    all,
                    3,
                    one ->
                        ModelManifest.newBuilder(one)
                            .setParentHash(
                                Message.read(Contracts.MANIFEST, Message.found(all, "m/version/2"))
                                    .getParentHash())
                            .setParentVersion(1)
                            .build())),
        new Tampering(
            "a head that points nowhere",
            models,
            Kind.HEAD,
            all ->
                Message.at(
                    all,
                    "m/heads/3",
                    0,
                    one ->
                        one.with(
                            Contracts.HEAD.encode(
                                ModelHead.newBuilder(Message.read(Contracts.HEAD, one))
                                    .setVersion(55)
                                    .setTipVersion(null)
                                    .build())))),
        new Tampering(
            "a head dropped",
            models,
            Kind.GAP,
            all -> Message.at(all, "m/heads/3", 0, one -> null)));
  }

  private static Score flipRaw(Score score) {
    List<Double> raw = new ArrayList<>(score.getRawScores());
    raw.set(1, Double.longBitsToDouble(Double.doubleToLongBits(raw.get(1)) ^ 1));
    return Score.newBuilder(score).setRawScores(raw).build();
  }

  private static Score flipProbability(Score score) {
    List<Double> all = new ArrayList<>(score.getProbabilities());
    all.set(1, Double.longBitsToDouble(Double.doubleToLongBits(all.get(1)) ^ 1));
    return Score.newBuilder(score).setProbabilities(all).build();
  }

  private static int lastSure(List<Message> all) {
    int place = all.size() - 1;
    while (Message.read(Contracts.SCORE, all.get(place)).getUncertainty() == null) {
      place--;
    }
    return place;
  }

  /** All classes but the first that was promised, or all. */
  private static Score promiseMore(Score score) {
    ScoreUncertainty said = score.getUncertainty();
    ScoreBounds first = said.getLevels().getFirst();
    List<Integer> classes = new ArrayList<>(List.of(0, 1, 2));
    first.getClasses().stream().findFirst().ifPresent(classes::remove);
    List<ScoreBounds> levels = new ArrayList<>(said.getLevels());
    levels.set(0, ScoreBounds.newBuilder(first).setClasses(classes).build());
    return Score.newBuilder(score)
        .setUncertainty(ScoreUncertainty.newBuilder(said).setLevels(levels).build())
        .build();
  }

  private static Score lastScore(List<Message> all) {
    return all.stream()
        .map(one -> Message.read(Contracts.SCORE, one))
        .max((a, b) -> Long.compare(a.getVersion(), b.getVersion()))
        .orElseThrow();
  }

  private static Score of(Score score, Score other) {
    return Score.newBuilder(score)
        .setVersion(other.getVersion())
        .setModelHash(other.getModelHash())
        .build();
  }

  private static Example example(List<Message> all, int place) {
    return Message.read(Contracts.EXAMPLE, all.get(place));
  }

  private static Message letter() {
    Headers headers = new RecordHeaders();
    Map.of(
            "__streams.errors.topic",
            "m.records",
            "__streams.errors.partition",
            "0",
            "__streams.errors.offset",
            "3",
            "holdfast.of",
            "record")
        .forEach((name, value) -> headers.add(name, value.getBytes(StandardCharsets.UTF_8)));
    return new Message(0, "r", new byte[] {1}, headers);
  }

  /** Two records with equal labels, of one key. */
  private static List<Message> twoOfOneKey(List<Message> all) {
    List<Message> examples = AuditIT.messages("m.examples");
    Message first = examples.get(0);
    Message second =
        examples.stream()
            .filter(
                one ->
                    !one.key().equals(first.key())
                        && Message.read(Contracts.EXAMPLE, one).getLabel()
                            == Message.read(Contracts.EXAMPLE, first).getLabel())
            .findFirst()
            .orElseThrow();
    Message record = Message.found(all, second.key());
    return Message.replaced(all, all.indexOf(record), record.keyed(first.key()));
  }

  private static byte[] flipped(byte[] value, int fromEnd) {
    byte[] other = value.clone();
    other[other.length + fromEnd] ^= 4;
    return other;
  }

  private static TreeSegment cyclic(TreeSegment segment) {
    segment.getTrees().stream()
        .filter(tree -> !tree.getLeft().isEmpty())
        .findFirst()
        .orElseThrow()
        .getLeft()
        .set(0, 0);
    return segment;
  }

  private static int newest(List<Message> all) {
    return all.stream()
        .filter(one -> one.key().startsWith("m/version/"))
        .mapToInt(one -> Integer.parseInt(one.key().substring("m/version/".length())))
        .max()
        .orElseThrow();
  }

  /** From the beginning of the topic. */
  private static List<OffsetRange> whole(List<OffsetRange> window) {
    return window.stream().map(range -> OffsetRange.newBuilder(range).setFrom(0).build()).toList();
  }
}
