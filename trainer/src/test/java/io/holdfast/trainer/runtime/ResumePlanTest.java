package io.holdfast.trainer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.trainer.ExampleStream;
import io.holdfast.trainer.evaluate.PairedEvidence;
import io.holdfast.trainer.expect.Trials;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.ReplayPlan;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.publish.CommitMetadata;
import io.holdfast.trainer.publish.LearnedTopic;
import io.holdfast.trainer.runtime.log.ExampleLog;
import io.holdfast.trainer.runtime.log.HaltException;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class ResumePlanTest {
  private static final Uuid TOPIC = new Uuid(1, 2);
  private static final Uuid OTHER = new Uuid(1, 3);
  private static final InstantSource TIME = InstantSource.fixed(Instant.EPOCH);

  private final ModelSettings model = ExampleStream.settings(Map.of());
  private final TrainerCore core = new TrainerCore(model, ExampleStream.framing());
  private final TrainerEvent.Concluded last = learned();

  @Test
  void plan_fromCommittedOffsets_isTheProgressThatWasCommitted() {
    Progress progress = reached();

    ResumePlan plan = plan(List.of(newest()), committed(progress), Map.of());

    assertThat(plan.progress()).isEqualTo(progress);
    assertThat(plan.replay()).isEqualTo(ReplayPlan.after(newest(), progress));
    assertThat(plan.replay().published()).isTrue();
    assertThat(plan.replay().window()).isEqualTo(last.window().cuts());
    assertThat(plan.replay().unpublished()).isEmpty();
  }

  @Test
  void plan_fromOffsetsOfAnEarlierProgram_remembersNoRowTwice() {
    Map<Integer, OffsetAndMetadata> earlier = committed(reached());
    earlier.replaceAll(
        (partition, at) ->
            new OffsetAndMetadata(at.offset(), at.metadata().replaceAll("since=.*", "memory=3")));

    assertThat(plan(List.of(newest()), earlier, Map.of()).progress()).isEqualTo(reached());
  }

  @Test
  void plan_afterWindowsThatPublishedNothing_goesOnBehindThem() {
    Map<Integer, Progress.Reached> further = new HashMap<>(reached().partitions());
    further.replaceAll((p, r) -> new Progress.Reached(r.position() + 10, r.position()));
    var progress =
        new Progress(
            reached().window() + 2,
            reached().version(),
            1_764_028_800_000L,
            new TreeMap<>(further));

    ResumePlan plan = plan(List.of(newest()), committed(progress), Map.of());

    assertThat(plan.progress()).isEqualTo(progress);
    Map<Integer, Window.Cut> unpublished = new TreeMap<>();
    further.forEach((p, r) -> unpublished.put(p, new Window.Cut(r.position() - 10, r.position())));
    assertThat(plan.replay().unpublished()).isEqualTo(unpublished);
  }

  @Test
  void plan_withoutCommittedOffsets_isTheManifestsOwn() {
    ResumePlan plan = plan(List.of(newest()), Map.of(), Map.of());

    assertThat(plan.progress().window()).isEqualTo(reached().window());
    assertThat(plan.progress().version()).isEqualTo(reached().version());
    assertThat(positions(plan.progress())).isEqualTo(positions(reached()));
    assertThat(plan.replay()).isEqualTo(ReplayPlan.after(newest(), reached()));
  }

  @Test
  void plan_ofALogThatWasMadeAnew_beginsItAgain() {
    Map<Integer, Long> ends = new HashMap<>();
    reached().partitions().forEach((partition, _) -> ends.put(partition, 10_000L));
    ends.put(reached().partitions().firstKey(), 1L); // of one alone it can be seen

    for (Map<Integer, OffsetAndMetadata> offsets :
        List.of(Map.<Integer, OffsetAndMetadata>of(), committed(reached()))) {
      ResumePlan plan = plan(List.of(newest()), offsets, ends);

      assertThat(plan.progress().window()).isEqualTo(reached().window());
      assertThat(positions(plan.progress()).values()).containsOnly(0L);
      assertThat(plan.replay().recorded()).isEmpty();
      assertThat(plan.replay().window()).isEmpty();
      assertThat(plan.replay().unpublished()).isEmpty();
    }
  }

  @Test
  void plan_afterAnImportedVersion_isThatOfTheVersionTrainedLast() {
    ModelManifest imported =
        ModelManifest.newBuilder(newest())
            .setVersion(newest().getVersion() + 1)
            .setWindow(List.of())
            .setReplay(List.of())
            .build();

    ResumePlan plan = plan(List.of(newest(), imported), committed(reached()), Map.of());

    assertThat(plan.progress().version()).isEqualTo(imported.getVersion());
    assertThat(plan.progress().partitions()).isEqualTo(reached().partitions());
    assertThat(plan.replay()).isEqualTo(ReplayPlan.after(newest(), reached()));
  }

  @Test
  void plan_ofVersionZero_beginsAtTheBeginning() {
    TrainerCore fresh = new TrainerCore(model, ExampleStream.framing());
    ModelManifest zero = fresh.begin(ExampleStream.SCHEMA, TIME).version().version().manifest();

    assertThat(plan(List.of(zero), Map.of(), Map.of()))
        .extracting("progress")
        .isEqualTo(Progress.NONE);
  }

  @Test
  void offsets_thatSomebodyMoved_areRefused() {
    Map<Integer, OffsetAndMetadata> noMetadata = committed(reached());
    noMetadata.put(0, new OffsetAndMetadata(3));
    Map<Integer, OffsetAndMetadata> back = committed(reached());
    back.computeIfPresent(0, (p, at) -> new OffsetAndMetadata(3, at.metadata()));
    Map<Integer, OffsetAndMetadata> missing = committed(reached());
    missing.remove(0);
    Map<Integer, OffsetAndMetadata> mixed = committed(reached());
    String otherWindow = new CommitMetadata(9, 3, 0, 0).toString();
    mixed.computeIfPresent(0, (p, at) -> new OffsetAndMetadata(at.offset(), otherWindow));
    Map<Integer, OffsetAndMetadata> otherVersion =
        committed(new Progress(3, 7, 0, reached().partitions()));

    for (var offsets : List.of(noMetadata, back, missing, mixed, otherVersion)) {
      assertThatThrownBy(() -> plan(List.of(newest()), offsets, Map.of()))
          .isInstanceOf(HaltException.class)
          .hasMessageContaining("m.examples")
          .hasMessageContaining("holdfast-trainer-m")
          .hasMessageContaining("delete the group's offsets");
    }
  }

  @Test
  void plan_ofAnotherTopicThatIsLonger_beginsItAgain() {
    var before = new LearnedTopic(OTHER, 0, reached().window() + 2);

    for (Map<Integer, OffsetAndMetadata> offsets :
        List.of(Map.<Integer, OffsetAndMetadata>of(), committed(reached()))) {
      ResumePlan plan = plan(List.of(newest()), before, offsets);

      assertThat(plan.another()).isTrue();
      assertThat(plan.progress().window()).isEqualTo(reached().window() + 2);
      assertThat(positions(plan.progress()).values()).containsOnly(0L);
      assertThat(plan.progress().time()).isEqualTo(Long.MIN_VALUE);
      assertThat(plan.replay().window()).isEmpty();
      assertThat(plan.replay().recorded()).isEmpty();
      assertThat(plan.topic())
          .isEqualTo(new LearnedTopic(TOPIC, reached().window() + 2, reached().window() + 2));
    }
  }

  @Test
  void plan_ofTheTopicThatWasLearnedFrom_goesOnInIt() {
    var same = new LearnedTopic(TOPIC, 0, reached().window());

    ResumePlan plan = plan(List.of(newest()), same, committed(reached()));

    assertThat(plan.another()).isFalse();
    assertThat(plan.progress()).isEqualTo(reached());
    assertThat(plan.replay()).isEqualTo(ReplayPlan.after(newest(), reached()));
    assertThat(plan.topic()).isEqualTo(same);
  }

  @Test
  void evidenceAndTrials_areGoneOnWith_ifTheyAreUpToTheLastWindow() {
    PairedEvidence evidence = PairedEvidence.none(4, 2);
    var trials = new Trials(List.of("rmse"), 0.5, List.of());
    long window = reached().window();
    var noted = new LearnedTopic(TOPIC, 0, window, evidence, trials);
    var old = new LearnedTopic(TOPIC, 0, window - 1, evidence, trials);

    assertThat(plan(List.of(newest()), noted, committed(reached())).progress())
        .isEqualTo(reached().with(evidence, trials));
    assertThat(plan(List.of(newest()), old, committed(reached())).progress()).isEqualTo(reached());
  }

  /** The newest version's offsets are of the topic that was deleted, and beyond those of now. */
  @Test
  void plan_ofANewTopicOfWhichNoWindowCameToAVersion_goesOnInItAndRemembersIt() {
    long window = reached().window();
    var anew = new LearnedTopic(TOPIC, window, window + 1);
    TreeMap<Integer, Progress.Reached> reached = new TreeMap<>();
    reached().partitions().keySet().forEach(p -> reached.put(p, new Progress.Reached(5, 0)));
    var progress = new Progress(window + 1, reached().version(), 1_000, reached);

    ResumePlan plan = plan(List.of(newest()), anew, committed(progress));

    assertThat(plan.another()).isFalse();
    assertThat(plan.progress()).isEqualTo(progress);
    assertThat(plan.replay().published()).isFalse();
    assertThat(plan.replay().window()).isEmpty();
    assertThat(plan.replay().unpublished().values()).containsOnly(new Window.Cut(0, 5));
    assertThat(plan.topic()).isEqualTo(anew);

    ResumePlan withoutOffsets = plan(List.of(newest()), anew, Map.of());
    assertThat(withoutOffsets.progress().window()).isEqualTo(window);
    assertThat(withoutOffsets.progress().partitions()).isEmpty(); // all are read from 0
  }

  private ResumePlan plan(
      List<ModelManifest> versions,
      Map<Integer, OffsetAndMetadata> offsets,
      Map<Integer, Long> ends) {
    return ResumePlan.of(model, versions, new ExampleLog.State(TOPIC, null, offsets, ends));
  }

  private ResumePlan plan(
      List<ModelManifest> versions, LearnedTopic learned, Map<Integer, OffsetAndMetadata> offsets) {
    return ResumePlan.of(
        model,
        versions,
        new ExampleLog.State(TOPIC, learned, offsets, Map.of(0, 9_000L, 1, 9_000L)));
  }

  /** Without trials, which are noted elsewhere than offsets. */
  private Progress reached() {
    return last.progress().with(null, Trials.NONE);
  }

  private ModelManifest newest() {
    return core.serving().manifest();
  }

  private TrainerEvent.Concluded learned() {
    core.apply(core.begin(ExampleStream.SCHEMA, TIME));
    List<TrainerEvent.Concluded> all = new ArrayList<>();
    for (LabelledRow row : ExampleStream.rows(1, 120, 2)) {
      assertThat(core.add(row)).isEmpty();
      core.completeWindow()
          .ifPresent(
              window -> {
                all.add(core.decide(window, TIME));
                core.apply(all.getLast());
              });
    }
    return all.getLast();
  }

  private static Map<Integer, Long> positions(Progress progress) {
    Map<Integer, Long> positions = new HashMap<>();
    progress.partitions().forEach((partition, at) -> positions.put(partition, at.position()));
    return positions;
  }

  private static Map<Integer, OffsetAndMetadata> committed(Progress progress) {
    Map<Integer, OffsetAndMetadata> committed = new HashMap<>();
    progress
        .partitions()
        .forEach(
            (partition, reached) ->
                committed.put(
                    partition,
                    new OffsetAndMetadata(
                        reached.position(),
                        new CommitMetadata(
                                progress.window(),
                                progress.version(),
                                reached.unpublishedFrom(),
                                progress.time())
                            .toString())));
    return committed;
  }
}
