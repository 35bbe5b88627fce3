package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.learn.OfflineModel;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fits that are robust to environments by other means than gamma alone. */
class FitRobustlyTest {
  @TempDir Path folder;
  private String train = "";

  @BeforeEach
  void write() throws IOException {
    train = TestFiles.write(folder.resolve("train.csv"), 300, 1).toString();
  }

  private CliRun fit(String... flags) {
    String[] all = new String[flags.length + 5];
    all[0] = "fit";
    all[1] = "--data=" + train;
    all[2] = "--label=y";
    all[3] = "--objective=squared";
    all[4] = "--rounds=5";
    System.arraycopy(flags, 0, all, 5, flags.length);
    return CliRun.of(all);
  }

  @Test
  void ladder_isInTheFile_andScoresAsAsked() throws Exception {
    Path file = folder.resolve("m.hf");
    String[] ladder = {
      "--environment=env", "--exclude=id,yb", "--ladder=1,9", "--serve=9", "--out=" + file
    };
    assertThat(fit(ladder).exitCode()).isZero();
    var version = OfflineModel.read(file);
    assertThat(version.manifest().getRung()).isEqualTo(9);
    assertThat(version.rungs()).hasSize(1); // that of 1 is the fit itself
    assertThat(version.model()).isNotEqualTo(version.grown());
  }

  @Test
  void otherWays_fitAndSayEveryRound() {
    for (String way : new String[] {"--group-dro=0.3", "--worst-leaves=3"}) {
      CliRun run = fit("--environment=env", "--exclude=id,yb", way, "--json");
      assertThat(run.exitCode()).as(run.err()).isZero();
    }
  }

  @Test
  void waysThatMakeNoSense_areSaidInASentence() {
    fit("--group-dro=0.3").saysOneSentence(2, "--group-dro is about environments");
    fit("--environment=env", "--group-dro=1", "--worst-leaves=1")
        .saysOneSentence(2, "--group-dro and --worst-leaves are two ways: take one");
    fit("--environment=env", "--worst-leaves=0").saysOneSentence(2, "must be at least 1: 0");
    fit("--environment=env", "--group-dro=1", "--stop-after=3")
        .saysOneSentence(2, "--group-dro grows all rounds");
    fit("--environment=env", "--hold-out=a", "--stop-after=3")
        .saysOneSentence(2, "--hold-out and --stop-after", "leave one out");
    fit("--environment=env", "--group-dro=-1").saysOneSentence(2, "--group-dro must be 0 or more");
    fit("--environment=env", "--ladder=1,3", "--worst-leaves=1")
        .saysOneSentence(2, "--ladder finds leaf values for gammas");
  }
}
