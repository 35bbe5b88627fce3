package io.holdfast.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.Anchoring;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.objective.Huber;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.tree.Sampling;
import io.holdfast.cli.backtest.BacktestCommand;
import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.FileHeader;
import io.holdfast.cli.data.Reading;
import io.holdfast.cli.input.DataSource;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ModelOptionsTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private DataFile file;

  @BeforeEach
  void writeFile() throws IOException {
    Path path = Files.writeString(folder.resolve("rows.csv"), "y,env,unit price,w\n1,a,2,1\n");
    file = DataFile.open(DataSource.of(path), Reading.PLAIN);
  }

  @Test
  void flags_setTheKeysOfTheConfiguration() {
    ModelSettings settings =
        settings(
            "--label=y",
            "--environment=env",
            "--weight=w",
            "--features=unit price",
            "--objective=probit",
            "--gamma=7",
            "--rounds=50",
            "--learning-rate=0.5",
            "--max-leaves=5",
            "--max-depth=3",
            "--min-gain=0.1",
            "--min-rows=7",
            "--min-hessian=2",
            "--lambda=3",
            "--max-bins=63",
            "--seed=42",
            "--window=100",
            "--window-environments=2",
            "--memory=300",
            "--max-trees=80");
    assertThat(settings.label()).isEqualTo("y");
    assertThat(settings.environment()).isEqualTo("env");
    assertThat(settings.weight()).isEqualTo("w");
    assertThat(settings.features().include()).containsExactly("unit_x0020_price");
    assertThat(settings.booster().objective().name()).isEqualTo("probit");
    assertThat(settings.booster().gamma()).isEqualTo(7);
    assertThat(settings.booster().rounds()).isEqualTo(50);
    assertThat(settings.booster().learningRate()).isEqualTo(0.5);
    assertThat(settings.booster().trees().maxLeaves()).isEqualTo(5);
    assertThat(settings.booster().trees().maxDepth()).isEqualTo(3);
    assertThat(settings.booster().trees().minGain()).isEqualTo(0.1);
    assertThat(settings.booster().trees().minRows()).isEqualTo(7);
    assertThat(settings.booster().trees().minHessian()).isEqualTo(2);
    assertThat(settings.booster().lambda()).isEqualTo(3);
    assertThat(settings.booster().maxBins()).isEqualTo(63);
    assertThat(settings.booster().seed()).isEqualTo(42);
    assertThat(settings.window().rows()).isEqualTo(100);
    assertThat(settings.window().environments()).isEqualTo(2);
    assertThat(settings.window().memoryRows()).isEqualTo(300);
    assertThat(settings.update().maxTrees()).isEqualTo(80);
  }

  @Test
  void flags_ofAnchorsPenaltiesAndShape_setTheKeysOfTheConfiguration() {
    ModelSettings settings =
        settings(
            "--label=y",
            "--objective=huber",
            "--delta=1.5",
            "--anchors=unit price,w",
            "--anchors-uncentred",
            "--gamma=4",
            "--lambda1=0.5",
            "--leaf-price=0.25",
            "--sample-rows=0.75",
            "--sample-features=0.5",
            "--monotone=unit price=increasing, w=decreasing",
            "--base=linear",
            "--linear-strength=3",
            "--linear-l1-ratio=0.5",
            "--threads=2");
    BoosterSettings booster = settings.booster();
    assertThat(booster.objective()).isEqualTo(new Huber(1.5));
    assertThat(settings.anchors()).containsExactly("unit_x0020_price", "w");
    assertThat(booster.anchoring())
        .isEqualTo(new Anchoring(4, new AnchorDesign.Continuous(false), false));
    assertThat(booster.penalties()).isEqualTo(new Penalties(0.5, 1, 0.25));
    assertThat(booster.sampling()).isEqualTo(new Sampling(0.75, 0.5));
    assertThat(booster.monotone()).isEqualTo(Map.of("unit_x0020_price", 1, "w", -1));
    assertThat(booster.linearBase()).isEqualTo(new LinearBase(3, 0.5));
    assertThat(booster.threads()).isEqualTo(2);
    assertThat(
            settings("--label=y", "--objective=squared", "--environment=env", "--anchor-splits")
                .booster()
                .anchoring()
                .splits())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--objective=quantile --alpha=0.9 | quantile alpha 0.9",
        "--objective=softmax --classes=4 --multiclass=vector | softmax classes 4",
        "--objective=ordinal --classes=4 --link=probit | ordinal classes 4 link probit",
        "--objective=beta --precision=30 | beta precision 30.0",
        "--objective=tweedie --power=1.2 | tweedie power 1.2"
      })
  void flags_ofTheObjective_areItsParameters(String flags, String expected) {
    String[] all = ("--label=y " + flags).split(" ", -1);
    assertThat(ModelSettings.described(settings(all).booster().objective())).isEqualTo(expected);
  }

  @Test
  void everyFlag_setsAKeyThatTheConfigurationKnows() {
    ModelSettings settings = settings("--label=y", "--objective=squared");
    for (Key<?> key : ModelKeys.ALL) {
      Key.Flag flag = key.flag();
      if (flag == null) {
        continue;
      }
      Map<String, String> keys = new HashMap<>();
      keys.put("label", "y");
      keys.put("objective", "squared");
      keys.put(key.path(), "?");
      try {
        assertThat(ModelSettings.of("m", keys, ModelOptions::flag)).isNotEqualTo(settings);
      } catch (SettingsException e) {
        assertThat(e).hasMessageContaining(flag.name()).hasMessageNotContaining("is no setting");
      }
    }
  }

  @Test
  void help_saysTheDefaultsThatThereAre() {
    ModelSettings defaults = settings("--label=y", "--objective=squared");
    Map<String, Function<ModelSettings, Number>> figures =
        Map.ofEntries(
            Map.entry("--gamma", s -> s.booster().gamma()),
            Map.entry("--rounds", s -> s.booster().rounds()),
            Map.entry("--learning-rate", s -> s.booster().learningRate()),
            Map.entry("--max-leaves", s -> s.booster().trees().maxLeaves()),
            Map.entry("--max-depth", s -> s.booster().trees().maxDepth()),
            Map.entry("--min-gain", s -> s.booster().trees().minGain()),
            Map.entry("--min-rows", s -> s.booster().trees().minRows()),
            Map.entry("--min-hessian", s -> s.booster().trees().minHessian()),
            Map.entry("--lambda", s -> s.booster().lambda()),
            Map.entry("--lambda1", s -> s.booster().penalties().lambda1()),
            Map.entry("--leaf-price", s -> s.booster().penalties().leafPrice()),
            Map.entry("--sample-rows", s -> s.booster().sampling().rows()),
            Map.entry("--sample-features", s -> s.booster().sampling().features()),
            Map.entry("--threads", s -> s.booster().threads()),
            Map.entry("--max-bins", s -> s.booster().maxBins()),
            Map.entry("--seed", s -> s.booster().seed()),
            Map.entry("--window", s -> s.window().rows()),
            Map.entry("--window-environments", s -> s.window().environments()),
            Map.entry("--memory", s -> s.window().memoryRows()),
            Map.entry("--memory-windows", s -> s.window().memoryWindows()),
            Map.entry("--max-trees", s -> s.update().maxTrees()));
    CommandLine command = new CommandLine(new BacktestCommand());
    figures.forEach(
        (flag, figure) ->
            assertThat(statedDefault(command, flag))
                .as(flag)
                .isEqualTo(figure.apply(defaults).doubleValue()));
    ModelSettings windows = settings("--label=y", "--objective=squared", "--policy=refit");
    assertThat(windows.window().rows()).isEqualTo(1_000);
    assertThat(windows.window().memoryRows()).isEqualTo(10_000);
    assertThat(defaults.update().policy()).isEqualTo("auto");
  }

  private static double statedDefault(CommandLine command, String flag) {
    OptionSpec option = command.getCommandSpec().findOption(flag);
    Matcher stated =
        Pattern.compile("\\(default: ([0-9.]+)\\)").matcher(String.join(" ", option.description()));
    assertThat(stated.find()).as(flag).isTrue();
    return Double.parseDouble(stated.group(1));
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds=many,--rounds must be a whole number",
    "--gamma=-1,--gamma must be",
    "--learning-rate=2,--learning-rate must be",
    "--objective=square,--objective must be one of",
    "--max-leaves=1,--max-leaves must be",
    "--window=0,--window must be",
  })
  void wrongValue_isSaidInTermsOfTheFlag(String flag, String sentence) {
    String objective = flag.startsWith("--objective") ? flag : "--objective=squared";
    String[] flags =
        objective.equals(flag)
            ? new String[] {"--label=y", flag}
            : new String[] {"--label=y", objective, flag};
    assertThatThrownBy(() -> settings(flags))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void missingObjective_isSaidInTermsOfTheFlag() {
    assertThatThrownBy(() -> settings("--label=y"))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("--objective is missing");
  }

  @Test
  void unknownColumn_namesTheFlagTheColumnAndThoseThereAre() {
    assertThatThrownBy(() -> settings("--label=y", "--objective=squared", "--exclude=unit_prices"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("--exclude names column unit_prices")
        .hasMessageContaining("did you mean unit price?")
        .hasMessageContaining("it has y, env, unit price, w");
  }

  @Test
  void columnWithAComma_isOneColumn() throws IOException {
    Path path = Files.writeString(folder.resolve("c.csv"), "\"a, b\",\"c,d\",a,y\n1,2,3,4\n");
    ModelSettings settings =
        parse("--label=y", "--objective=squared", "--exclude=c,d,a", "--features=a, b")
            .settings("m", FileHeader.of(DataSource.of(path)), Map.of());
    assertThat(settings.features().exclude()).containsExactly(ColumnName.field("c,d"), "a");
    assertThat(settings.features().include()).containsExactly(ColumnName.field("a, b"));
  }

  private ModelSettings settings(String... flags) {
    return parse(flags).settings("m", file, Map.of());
  }

  private static ModelOptions parse(String... flags) {
    ModelOptions options = new ModelOptions(Key.Flag.Group.values());
    CommandSpec command = CommandSpec.create();
    options.addTo(command);
    new CommandLine(command).parseArgs(List.of(flags).toArray(String[]::new));
    return options;
  }
}
