package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.output.StoppedWhileWriting;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.version.LedgerVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code models list}, {@code show}, {@code diff} and {@code export} say of a real topic. */
class ModelsShownIT {
  @TempDir Path folder;
  private ModelsOnTopic at;
  private LedgerVersion first;
  private LedgerVersion second;
  private LedgerVersion third;

  @BeforeEach
  void publish() throws Exception {
    at = ModelsOnTopic.withBoats(folder);
    first = at.begin();
    second = at.grow(1, first, 2, "a");
    third = at.grow(2, second, 3, "a", "b");
    at.serve(first);
    at.serve(third);
  }

  @AfterEach
  void close() {
    at.close();
  }

  @Test
  void list_hasModelsOfTheTopicAndOfTheConfiguration() {
    CliRun text = at.models("list");
    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out().lines().toList().get(1))
        .contains("bikes", "2", third.hash().hex().substring(0, 12));
    assertThat(text.out()).contains("Without a version yet: boats, kinds");

    JsonNode json = at.models("list", "--json").json();
    assertThat(json.get("models")).hasSize(3);
    JsonNode bikes = json.get("models").get(0);
    assertThat(bikes.get("version").asLong()).isEqualTo(2);
    assertThat(bikes.get("versions").asLong()).isEqualTo(3);
    assertThat(bikes.get("hash").asText()).isEqualTo(third.hash().hex());
    assertThat(bikes.get("trees").asInt()).isEqualTo(2);
    assertThat(bikes.get("tipVersion").asLong()).isEqualTo(2);
    assertThat(bikes.get("shadowVersion").isNull()).isTrue();
    assertThat(bikes.get("pinned").asBoolean()).isFalse();
    assertThat(bikes.get("at").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(json.get("models").get(1).get("versions").asLong()).isZero();
  }

  @Test
  void show_isTheManifestWithItsParentAndItsOwnSegments() {
    CliRun text = at.models("show", "bikes");
    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out())
        .contains("bikes, version 2", third.hash().hex(), second.hash().hex(), "verified", "kind");

    assertThat(text.out()).contains("Kept for training (2)", "bins", "reference");

    assertThat(text.out())
        .contains("9 rows of 3 windows, bikes.examples-0 [0, 20), bikes.examples-0 [30, 40)");

    JsonNode json = at.models("show", "bikes@2", "--json").json();
    assertThat(json.get("memoryRows").asLong()).isEqualTo(9);
    assertThat(json.get("memory")).hasSize(2);
    assertThat(json.at("/memory/1/from").asLong()).isEqualTo(30);
    assertThat(at.models("show", "bikes@1").out()).containsPattern("memory +none");
    assertThat(json.get("hash").asText()).isEqualTo(third.hash().hex());
    assertThat(json.get("parentVersion").asLong()).isEqualTo(1);
    assertThat(json.get("verified").asBoolean()).isTrue();
    assertThat(json.get("segments")).hasSize(2);
    assertThat(json.get("segments").get(0).get("new").asBoolean()).isFalse();
    assertThat(json.get("segments").get(1).get("new").asBoolean()).isTrue();
    assertThat(json.get("segments").get(1).get("bytes").asInt()).isPositive();
    assertThat(json.get("settings").get("objective").isMissingNode()).isFalse();
    assertThat(json.get("metrics").get("rows").asDouble()).isEqualTo(12);
    assertThat(json.get("kept")).hasSize(2);
    JsonNode bins = json.get("kept").get(0);
    assertThat(bins.get("kind").asText()).isEqualTo("bins");
    assertThat(bins.get("features").asInt()).isEqualTo(1);
    assertThat(bins.get("rows").asLong()).isEqualTo(17);
    assertThat(bins.get("bytes").asInt()).isPositive();
    JsonNode reference = json.get("kept").get(1);
    assertThat(reference.get("kind").asText()).isEqualTo("reference");
    assertThat(reference.get("sha256").asText()).hasSize(64);
    assertThat(reference.get("features").asInt()).isEqualTo(2);
    assertThat(reference.get("rows").asLong()).isEqualTo(5);
    assertThat(reference.get("bytes").asInt()).isPositive();
  }

  @Test
  void show_namesClasses() throws Exception {
    String rows = "x,kind,count\n" + "1,a,bus\n2,a,tram\n3,b,bus\n".repeat(20);
    Path data = Files.writeString(folder.resolve("kinds.csv"), rows);
    String file = folder.resolve("kinds.hf").toString();
    CliRun fit =
        CliRun.of(
            "fit", "--data=" + data, "--config=" + at.config(), "--model=kinds", "--out=" + file);
    assertThat(fit.exitCode()).as(fit.err()).isZero();
    CliRun imported = at.models("import", "kinds", "--file", file);
    assertThat(imported.exitCode()).as(imported.err()).isZero();

    assertThat(at.models("show", "kinds").out()).containsPattern("objective +logistic: tram, bus");
    assertThat(at.models("show", "kinds", "--json").json().get("classes").toString())
        .isEqualTo("[\"tram\",\"bus\"]");
  }

  @Test
  void diff_saysWhatIsSharedAndWhatIsNot() {
    CliRun text = at.models("diff", "bikes@1", "bikes");
    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out())
        .contains("bikes@2 grew from bikes@1", "kind: more categories: b", "rows", "11.0", "12.0");

    JsonNode json = at.models("diff", "bikes@2", "bikes@0", "--json").json();
    assertThat(json.get("relation").asText()).isEqualTo("bikes@2 grew from bikes@0 in 2 steps");
    assertThat(json.get("shared").get("segments").asInt()).isZero();
    assertThat(json.get("onlyA").get("trees").asInt()).isEqualTo(2);
    assertThat(json.get("features").get(0).asText()).isEqualTo("kind: fewer categories: b");
    assertThat(at.models("diff", "bikes@1", "bikes@1").out()).contains("are the same version");
  }

  @Test
  void export_givesTheVersionAsItIsOnTheTopic() throws Exception {
    Path file = folder.resolve("bikes-1.hf");

    CliRun run = at.models("export", "bikes@1", "--out", file.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("version 1 of bikes", second.hash().hex());
    LedgerVersion read = ModelFile.read(file);
    assertThat(read.hash()).isEqualTo(second.hash());
    Path rows = Files.writeString(folder.resolve("rows.csv"), "x,kind\n1,a\n2,b\n");
    CliRun scored = CliRun.of("score", rows.toString(), "--model", file.toString());
    assertThat(scored.exitCode()).as(scored.err()).isZero();
    assertThat(scored.out()).contains("1,2.25,2.25");
  }

  /** As every output of every command: see OutputTargetsTest. */
  @Test
  void export_writesAWholeFileOrNone() throws Exception {
    Path target =
        Files.writeString(Files.createDirectory(folder.resolve("deep")).resolve("a"), "before");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r----x"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("deep/a"));
    StoppedWhileWriting.assertLeavesTheOldFile(
        target,
        "INT",
        130,
        List.of("models", "export", "bikes@1", "--config", "" + at.config(), "--out", "" + link));

    assertThat(at.models("export", "bikes@1", "--out", "" + link).exitCode()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(ModelFile.read(target).hash()).isEqualTo(second.hash());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
        .isEqualTo("rw-r----x");
    assertThat(target.getParent()).isDirectoryNotContaining(file -> !file.equals(target));

    at.models("export", "bikes@1", "--out", "/dev/full")
        .saysOneSentence(1, "/dev/full cannot be written: No space left");
    at.models("export", "bikes@1", "--out", "" + at.config())
        .saysOneSentence(2, "--out would write over what --config reads, " + at.config());
  }

  @Test
  void mistakes_areSaidInOneSentence() {
    at.models("show", "bike").saysOneSentence(1, "no model bike", "did you mean bikes?");
    at.models("show", "bikes@9").saysOneSentence(1, "no version 9", "it has 0 to 2");
    at.models("show", "bikes@x").saysOneSentence(2, "MODEL@VERSION");
    at.models("show").saysOneSentence(2, "MODEL[@VERSION]");
    CliRun.of("models").saysOneSentence(2, "list");
  }
}
