package io.holdfast.boosting;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Code in documentation, compiled and run as a reader would. Stateless. */
public final class DocumentedCode {
  private static final Pattern JAVADOC =
      Pattern.compile("<pre>\\{@code\n(.*?)\n \\* \\}</pre>", Pattern.DOTALL);
  private static final Pattern MARKDOWN = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private DocumentedCode() {}

  /** The blocks of code in a Java file's Javadoc. */
  public static List<String> ofJavadoc(Path file) {
    return blocks(file, JAVADOC).stream().map(code -> code.replaceAll("(?m)^ \\* ?", "")).toList();
  }

  /** The blocks of Java in a Markdown file. */
  public static List<String> ofMarkdown(Path file) {
    return blocks(file, MARKDOWN);
  }

  private static List<String> blocks(Path file, Pattern pattern) {
    try {
      return pattern
          .matcher(Files.readString(file))
          .results()
          .map((MatchResult found) -> found.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The entries of this class path whose path contains one of the parts. */
  public static List<Path> classPath(String... parts) {
    List<Path> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      for (String part : parts) {
        if (entry.replace(File.separatorChar, '/').contains(part)) {
          entries.add(Path.of(entry));
          break;
        }
      }
    }
    return entries;
  }

  /**
   * Compiles statements as the body of a method, with all warnings but those of processing, and
   * runs it with nothing on the class path but the given entries and the JDK.
   *
   * @param imports packages, all of whose types are imported
   * @param body ends with the return of an object
   * @param folder for the compiled class
   * @return what the body returned
   * @throws AssertionError if it does not compile, or throws
   */
  public static Object run(List<String> imports, String body, List<Path> classPath, Path folder) {
    String source =
        imports.stream()
            .map(name -> "import " + name + ".*;\n")
            .collect(
                Collectors.joining(
                    "",
                    "",
                    "public final class Example {\n"
                        + "public static Object run() throws Exception {\n"
                        + body
                        + "\n}\n}\n"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    String path =
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    List<String> options =
        List.of("-classpath", path, "-d", folder.toString(), "-proc:none", "-Xlint:all,-classfile");
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, List.of(new Source(source)))
              .call();
      if (!compiled || !messages.toString().isEmpty()) {
        throw new AssertionError(messages + "\n" + source);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return invoke(classPath, folder);
  }

  private static Object invoke(List<Path> classPath, Path folder) {
    List<Path> entries = new ArrayList<>(classPath);
    entries.add(folder);
    URL[] urls = entries.stream().map(DocumentedCode::url).toArray(URL[]::new);
    // Not closed: threads of the code, as vectors warming up, load classes after it has ended.
    var loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    try {
      return loader.loadClass("Example").getMethod("run").invoke(null);
    } catch (InvocationTargetException e) {
      throw new AssertionError("the documented code failed: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the documented code cannot be called", e);
    }
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///Example.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
