package io.holdfast.schemas.topic;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.SchemaFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * A schema of a topic's values that settings name a file of.
 *
 * @param topic of records or labels
 */
public record DeclaredSchema(String topic, Schema schema) {

  /**
   * Those that a model's settings name.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if a file cannot be read
   */
  public static List<DeclaredSchema> of(ModelSettings model) {
    List<DeclaredSchema> declared = new ArrayList<>();
    var topics = model.topics();
    for (Path file : model.schemas()) {
      declared.add(new DeclaredSchema(topics.records(), SchemaFile.read(file)));
    }
    Path records = topics.framings().records().schema();
    if (records != null) {
      declared.add(new DeclaredSchema(topics.records(), SchemaFile.read(records)));
    }
    Path labels = topics.framings().labels().schema();
    if (labels != null) {
      declared.add(new DeclaredSchema(topics.labels(), SchemaFile.read(labels)));
    }
    return declared;
  }
}
