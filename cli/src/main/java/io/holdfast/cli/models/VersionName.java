package io.holdfast.cli.models;

import io.holdfast.cli.ledger.ModelTopic;
import io.holdfast.cli.options.CommandException;
import io.holdfast.schemas.avro.ModelManifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** A version as users name it: {@code bikes@12}, or {@code bikes} for the one that serves. */
public record VersionName(String model, @Nullable Long version) {
  private static final Pattern NAME =
      Pattern.compile("([^@/\\s]{1,100})(?:@v?(0|[1-9][0-9]{0,17}))?");

  public static VersionName parse(String text) {
    Matcher matcher = NAME.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "a version is named MODEL@VERSION, such as bikes@12, or MODEL for the one that serves: "
              + text);
    }
    String number = matcher.group(2);
    return new VersionName(matcher.group(1), number == null ? null : Long.valueOf(number));
  }

  long number(ModelTopic topic) {
    return version == null ? topic.head(model).getVersion() : version;
  }

  ModelManifest manifest(ModelTopic topic) {
    return topic.manifest(model, number(topic));
  }

  /** The number, where one must be said. */
  long named() {
    if (version == null) {
      throw CommandException.usage("name the version too, such as %s@12", model);
    }
    return version;
  }

  /** The model, where no version must be said. */
  String alone() {
    CommandException.usageIf(version != null, "name the model alone: %s", model);
    return model;
  }

  @Override
  public String toString() {
    return version == null ? model : model + "@" + version;
  }
}
