package io.holdfast.cli.completion;

import io.holdfast.cli.options.BaseCommand;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Prints a script by which a shell completes commands and options.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(holdfast completion bash)                  # in ~/.bashrc",
      "  source <(holdfast completion zsh)                   # in ~/.zshrc, after compinit",
      "  holdfast completion fish > ~/.config/fish/completions/holdfast.fish",
    })
public final class CompletionCommand extends BaseCommand {
  @Spec private CommandSpec self;

  enum Shell {
    BASH,
    ZSH,
    FISH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.BASH;

  @Override
  protected void run() {
    CommandLine root = self.root().commandLine();
    String name = root.getCommandName();
    PrintWriter out = console().out();
    out.print(
        shell == Shell.FISH
            ? FishCompletion.script(root)
            : AutoComplete.bash(name, root)); // zsh reads it by bashcompinit, which it loads itself
    out.flush();
  }
}
