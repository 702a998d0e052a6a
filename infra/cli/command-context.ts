import type { Installation } from './installation.ts';
import type { ProgressDisplay } from './progress.ts';

/** The context of a command that needs no installation. */
export interface AloneContext {
  /** As the command line names it. */
  readonly dataDir: string | undefined;
  /** One JSON object as the result, and progress as JSON lines on stderr. */
  readonly isJson: boolean;
  readonly output: {
    print(line: string): void;
    /** Whether a person reads the output, and no file or log collector keeps it. */
    readonly isTerminal: boolean;
  };
  /** With --json the result as one object, else the lines. */
  readonly printResult: (result: unknown, lines: readonly string[]) => void;
  readonly progress: (what: string) => ProgressDisplay;
  /** Asks for confirmation before an irreversible step, unless --yes was given. Throws OperatorError without one. */
  readonly confirm: (question: string) => Promise<void>;
}

/** The context of a command. */
export interface CommandContext extends AloneContext {
  readonly installation: Installation;
}

/** The function of a command. A number that it resolves with is the exit code, which else is 0. */
export type CommandWork = (context: CommandContext) => Promise<unknown>;
