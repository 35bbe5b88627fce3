package io.holdfast.service.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.schemas.file.LogFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LogFormatTest {
  /** What the service logs of a trouble, in that format. */
  private static String logged(String format) throws JoranException {
    var bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(bytes, true, UTF_8));
    var context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    try {
      context.putProperty("HOLDFAST_LOG", format);
      var configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(
          Objects.requireNonNull(LogFormatTest.class.getResource("/logback-holdfast-service.xml")));
      context
          .getLogger("io.holdfast.test")
          .atWarn()
          .addKeyValue("model", "bikes")
          .addKeyValue("version", 7)
          .log("model {}: {}", "bikes", "behind");
    } finally {
      context.stop();
      System.setOut(before);
    }
    return bytes.toString(UTF_8);
  }

  @Test
  void json_hasDateZoneModelAndVersion() throws JoranException, IOException {
    JsonNode line = new ObjectMapper().readTree(logged("json"));
    assertThat(OffsetDateTime.parse(line.get("@timestamp").asText())).isNotNull();
    assertThat(line.get("level").asText()).isEqualTo("WARN");
    assertThat(line.get("model").asText()).isEqualTo("bikes");
    assertThat(line.get("version").asInt()).isEqualTo(7);
    assertThat(line.get("message").asText()).startsWith("model bikes: ");
  }

  @Test
  void text_isALine() throws JoranException {
    assertThat(logged("text"))
        .containsPattern("^\\d{4}-\\d\\d-\\d\\dT\\S+Z WARN .*model bikes: .*\n$");
  }

  @Test
  void anotherFormat_isRefused() {
    assertThat(LogFormat.problem(Map.of())).isNull();
    assertThat(LogFormat.problem(Map.of("HOLDFAST_LOG", "jsn")))
        .isEqualTo("HOLDFAST_LOG must be text or json, and is 'jsn'");
  }
}
