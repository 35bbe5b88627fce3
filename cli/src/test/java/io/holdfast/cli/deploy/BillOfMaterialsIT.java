package io.holdfast.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the build says that a program is made of is what it ships, each part with its licence. */
class BillOfMaterialsIT {

  @ParameterizedTest
  @ValueSource(strings = {"cli", "service", "trainer"})
  void bill_namesLibrariesThatShip_withTheirLicences(String program) throws IOException {
    Path target = Path.of("..", program, "target");
    JsonNode bill = new ObjectMapper().readTree(target.resolve("bom.json").toFile());
    assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
    List<String> jars;
    try (Stream<Path> library = Files.list(target.resolve("lib"))) {
      jars = library.map(jar -> jar.getFileName().toString()).toList();
    }
    assertThat(bill.path("components")).isNotEmpty();
    for (JsonNode part : bill.path("components")) {
      String name = part.path("name").asText() + "-" + part.path("version").asText();
      assertThat(part.path("licenses")).as(name).isNotEmpty();
      assertThat(jars).as(name).anyMatch(jar -> jar.startsWith(name));
    }
    assertThat(target.resolve("THIRD-PARTY.txt")).content().doesNotContain("Unknown license");
  }
}
