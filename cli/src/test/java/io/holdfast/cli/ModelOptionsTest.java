package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.data.DataFile;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    file = DataFile.open(path, Set.of());
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
    assertThat(settings.features().include()).containsExactly("unit_price");
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
            Map.entry("--max-bins", s -> s.booster().maxBins()),
            Map.entry("--seed", s -> s.booster().seed()),
            Map.entry("--window", s -> s.window().rows()),
            Map.entry("--window-environments", s -> s.window().environments()),
            Map.entry("--max-trees", s -> s.update().maxTrees()));
    CommandLine command = new CommandLine(new BacktestCommand());
    figures.forEach(
        (flag, figure) ->
            assertThat(statedDefault(command, flag))
                .as(flag)
                .isEqualTo(figure.apply(defaults).doubleValue()));
    assertThat(defaults.window().memoryRows()).isEqualTo(10 * defaults.window().rows());
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
  void textColumns_areEnvironmentAndCategories() {
    ModelOptions options = parse("--environment=env", "--categorical=a, b");
    assertThat(options.textColumns()).isEqualTo(Set.of("env", "a", "b"));
  }

  private ModelSettings settings(String... flags) {
    return parse(flags).settings("m", file);
  }

  private static ModelOptions parse(String... flags) {
    ModelOptions options = new ModelOptions(ModelFlag.Group.values());
    CommandSpec command = CommandSpec.create();
    options.addTo(command);
    new CommandLine(command).parseArgs(List.of(flags).toArray(String[]::new));
    return options;
  }
}
