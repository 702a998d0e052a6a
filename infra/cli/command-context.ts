import type { Command } from 'commander';
import type { Installation } from './installation.ts';
import type { ProgressDisplay } from './progress.ts';

/** The context of a command that does not need an installation. */
export interface AloneContext {
  /** The directory from the command line. */
  readonly dataDir: string | undefined;
  /** True to print the result as one JSON object, and the progress as JSON lines on stderr. */
  readonly isJson: boolean;
  readonly output: {
    print(line: string): void;
    /** True if a person reads the output and no file or log collector stores it. */
    readonly isTerminal: boolean;
  };
  /** Prints the result as one object with --json, otherwise the lines. */
  readonly printResult: (result: unknown, lines: readonly string[]) => void;
  readonly progress: (what: string) => ProgressDisplay;
  /**
   * Asks for confirmation before an irreversible step, unless --yes was given. Throws OperatorError if the operator
   * declines.
   */
  readonly confirm: (question: string) => Promise<void>;
}

/** The context of a command. */
export interface CommandContext extends AloneContext {
  readonly installation: Installation;
}

/** The function that a command runs. It resolves with the exit code; any value other than a number means 0. */
export type CommandWork = (context: CommandContext) => Promise<unknown>;

export interface Runner {
  /** Runs a parsed command on the installation that the options and the environment specify. */
  readonly run: (command: Command, work: CommandWork) => Promise<void>;
  /** Like run, for commands that do not need an installation. */
  readonly runAlone: (
    command: Command,
    work: (context: AloneContext) => Promise<unknown>,
  ) => Promise<void>;
}
