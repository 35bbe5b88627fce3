package io.holdfast.cli.print;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.evaluate.StreamFigures;
import io.holdfast.boosting.select.GammaChoice;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.version.Digest;
import io.holdfast.trainer.rebuild.Rebuild;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * Results as machines read them: a record is an object of its components, a message of a topic one
 * of its fields; what is not finite is null, as JSON has no NaN. Stateless.
 */
@SuppressWarnings("UnusedMethod") // what the mix-ins say Jackson reads
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .visibility(PropertyAccessor.GETTER, Visibility.NONE)
          .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .addMixIn(Evaluation.class, WithSquares.class)
          .addMixIn(GammaChoice.Trial.class, WithMeans.class)
          .addMixIn(StreamFigures.class, Computed.class)
          .addMixIn(AnchorLoss.class, Computed.class)
          .addMixIn(Rebuild.Result.class, Computed.class)
          .addModule(
              new SimpleModule()
                  .addSerializer(Double.class, new FigureWriter())
                  .addSerializer(double.class, new FigureWriter())
                  .addSerializer(SpecificRecord.class, new MessageWriter())
                  .addSerializer(Digest.class, ToStringSerializer.instance)
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addSerializer(OutputFile.class, ToStringSerializer.instance)
                  .addSerializer(Path.class, ToStringSerializer.instance))
          .build();

  private Json() {}

  private interface WithSquares {
    @JsonIgnore
    String environment();

    @JsonSerialize(converter = Squares.class)
    Map<String, Double> metrics();
  }

  /** The squared objective's loss is half the squared error: the mean of that is said, too. */
  private static final class Squares
      extends StdConverter<Map<String, Double>, SortedMap<String, Double>> {
    @Override
    public SortedMap<String, Double> convert(Map<String, Double> metrics) {
      SortedMap<String, Double> all = new TreeMap<>(metrics);
      Double rmse = metrics.get("rmse");
      if (rmse != null) {
        all.put("mse", rmse * rmse);
      }
      return all;
    }
  }

  @JsonPropertyOrder({"gamma", "risk", "worst", "mean"})
  private interface WithMeans {
    @JsonIgnore
    int rounds();

    @JsonProperty
    double worst();

    @JsonProperty
    double mean();
  }

  private interface Computed {
    @JsonProperty("metrics")
    SortedMap<String, Double> byName();

    @JsonProperty
    double total();

    @JsonProperty
    boolean same();
  }

  private static final class FigureWriter extends JsonSerializer<Double> {
    @Override
    public void serialize(Double figure, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (Double.isFinite(figure)) {
        out.writeNumber(figure);
      } else {
        out.writeNull();
      }
    }
  }

  private static final class MessageWriter extends JsonSerializer<SpecificRecord> {
    @Override
    public void serialize(SpecificRecord message, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeStartObject(message);
      for (Schema.Field field : message.getSchema().getFields()) {
        Object value = message.get(field.pos());
        provider.defaultSerializeField(
            field.name(), value instanceof Map<?, ?> map ? new TreeMap<>(map) : value, out);
      }
      out.writeEndObject();
    }
  }

  public static ObjectNode tree(Object result) {
    return MAPPER.valueToTree(result);
  }

  /** A tree of JSON text that this program wrote. */
  public static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + text, e);
    }
  }

  public static String pretty(Object result) {
    return written(MAPPER.writerWithDefaultPrettyPrinter(), result);
  }

  public static String line(Object result) {
    return written(MAPPER.writer(), result);
  }

  private static String written(ObjectWriter writer, Object result) {
    try {
      return writer.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result can always be written", e);
    }
  }
}
