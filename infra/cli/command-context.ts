import type { Installation } from './installation.ts';
import type { ProgressDisplay } from './progress.ts';

/** What every command is given. */
export interface CommandContext {
  readonly installation: Installation;
  /** One JSON object as the result, and progress as JSON lines on stderr. */
  readonly isJson: boolean;
  readonly output: {
    print(line: string): void;
    /** A person reads it, and no file or collector of logs keeps it. */
    readonly isTerminal: boolean;
  };
  readonly progress: (what: string) => ProgressDisplay;
  /** Before what cannot be undone: asks on a terminal unless --yes was given. Throws OperatorError without a yes. */
  readonly confirm: (question: string) => Promise<void>;
}

/** What a command does; answers its exit code. */
export type CommandWork = (context: CommandContext) => Promise<number>;
