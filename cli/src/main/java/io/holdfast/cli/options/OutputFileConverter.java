package io.holdfast.cli.options;

import io.holdfast.schemas.file.OutputFile;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Names of files to write, as the command line has them. Stateless. */
public final class OutputFileConverter implements ITypeConverter<OutputFile> {
  @Override
  public OutputFile convert(String name) {
    if (name.isEmpty()) {
      throw new TypeConversionException("must be the name of a file, and is empty");
    }
    try {
      return OutputFile.of(Path.of(name));
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + name + "' is no name of a file: " + e.getReason());
    }
  }
}
