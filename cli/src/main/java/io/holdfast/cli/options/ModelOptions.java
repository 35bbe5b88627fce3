package io.holdfast.cli.options;

import io.holdfast.cli.data.FileHeader;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.keys.Key;
import io.holdfast.schemas.settings.keys.Key.Flag;
import io.holdfast.schemas.settings.keys.ModelKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/** The model that a command's flags say; a mistake is said in terms of the flag. */
public final class ModelOptions {
  private static final List<Key<?>> KEYS =
      ModelKeys.ALL.stream().filter(key -> key.flag() != null).toList();
  private static final Map<String, Flag> FLAGS =
      KEYS.stream().collect(Collectors.toMap(Key::path, ModelOptions::flagOf));

  private final List<Flag.Group> groups;
  private final Map<String, String> values = new LinkedHashMap<>();

  public interface Command {
    ModelOptions modelOptions();
  }

  public static final class Flags implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      if (spec.userObject() instanceof Command command) {
        command.modelOptions().addTo(spec);
      }
      return spec;
    }
  }

  public ModelOptions(Flag.Group... groups) {
    this.groups = List.of(groups);
  }

  void addTo(CommandSpec spec) {
    for (Flag.Group group : groups) {
      ArgGroupSpec.Builder builder =
          ArgGroupSpec.builder()
              .heading("%n" + group.heading() + ":%n")
              .order(groups.indexOf(group))
              .validate(false)
              .exclusive(false);
      for (Key<?> key : KEYS) {
        if (flagOf(key).group() == group) {
          builder.addArg(option(key));
        }
      }
      spec.addArgGroup(builder.build());
    }
  }

  private static Flag flagOf(Key<?> key) {
    return Objects.requireNonNull(key.flag(), key.path());
  }

  private OptionSpec option(Key<?> key) {
    Flag flag = flagOf(key);
    OptionSpec.Builder option =
        OptionSpec.builder(flag.name()).order(KEYS.indexOf(key)).description(key.help());
    if (flag.takesArgument()) {
      option.arity("1").type(String.class).paramLabel(flag.argument());
    } else {
      option.arity("0").type(Boolean.class);
    }
    return option
        .setter(
            new ISetter() {
              @Override
              public <T> T set(T given) {
                if (given instanceof String text) {
                  values.put(key.path(), text);
                } else if (Boolean.TRUE.equals(given)) {
                  values.put(key.path(), flag.value());
                }
                return given; // null, or false: a flag that was not given
              }
            })
        .build();
  }

  public void set(String key, String value) {
    values.put(key, value);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public @Nullable String get(String key) {
    return values.get(key);
  }

  public Map<String, String> all() {
    return Map.copyOf(values);
  }

  /** What a key is called in messages. */
  static String flag(String key) {
    Flag flag = FLAGS.get(key);
    return flag == null ? key : flag.name();
  }

  private static String joined(String[] parts, int from, int to) {
    return String.join(",", List.of(parts).subList(from, to)).strip();
  }

  /** The column in an item of a list, which may have a word about it behind. */
  private static String column(Flag flag, String item) {
    int end = flag.directsColumns() ? item.lastIndexOf('=') : -1;
    return end < 0 ? item : item.substring(0, end).strip();
  }

  /** The settings of a model for the rows of a file; {@code changes} are set over flags. */
  ModelSettings settings(String name, FileHeader data, Map<String, String> changes) {
    Map<String, String> keys = new LinkedHashMap<>(values);
    values.forEach(
        (key, value) -> {
          Flag flag = FLAGS.get(key);
          if (flag != null && (flag.namesColumns() || flag.directsColumns())) {
            keys.put(key, fields(flag, value, data));
          }
        });
    return changed(name, keys, changes);
  }

  /** Flags with keys set over them: mistakes are said by flag, or by key if some are changed. */
  public static ModelSettings changed(
      String name, Map<String, String> flags, Map<String, String> changes) {
    Map<String, String> keys = new LinkedHashMap<>(flags);
    keys.putAll(changes);
    return ModelSettings.of(name, keys, changes.isEmpty() ? ModelOptions::flag : key -> key);
  }

  /** The fields that hold the listed columns; a comma in a column's own text parts nothing. */
  private static String fields(Flag flag, String value, FileHeader data) {
    String[] parts = value.split(",", -1);
    List<String> fields = new ArrayList<>();
    for (int from = 0; from < parts.length; ) {
      int to = parts.length;
      while (to > from + 1 && data.field(column(flag, joined(parts, from, to))).isEmpty()) {
        to--;
      }
      String item = joined(parts, from, to);
      if (!item.isEmpty()) {
        int end = flag.directsColumns() ? item.lastIndexOf('=') : -1;
        String way = end < 0 ? "" : item.substring(end);
        fields.add(Columns.field(data, column(flag, item), flag.name()) + way);
      }
      from = to;
    }
    return String.join(",", fields);
  }
}
