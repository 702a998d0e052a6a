import { existsSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { Unavailable } from '../../shared/domain/errors.ts';
import { errorCode, OperatorError } from '../local/operator-error.ts';
import type { CommandWork } from './command-context.ts';
import { confirm } from './confirm.ts';
import { createProgram } from './program.ts';
import { createProgress } from './progress.ts';
import type { Runner } from './runner.ts';
import { UsageError, usageHint } from './usage-error.ts';

const USAGE_ERROR = 2;

interface CommonOptions {
  readonly json?: boolean;
  readonly dataDir?: string;
  readonly yes?: boolean;
}

const output = {
  print: (line: string) => void process.stdout.write(`${line}\n`),
  isTerminal: process.stdout.isTTY === true,
};
// A closed pipe (`annals status | head`) is no failure.
process.stdout.on('error', (error) => {
  if (errorCode(error) === 'EPIPE') process.exit();
  throw error;
});
const terminal = { input: process.stdin, output: process.stderr };

const runner: Runner = {
  async run(command, work) {
    await finish(() => runIn(command, work));
    // Connections to a hanging broker would keep the process alive.
    process.stdout.write('', () => process.exit());
  },
  runAlone: (command, work) => {
    const { isJson, dataDir, isYes } = readOptions(command);
    return finish(async () => {
      requireDirectory(dataDir);
      await work({
        isJson,
        output,
        dataDir,
        confirm: (question) => confirm(question, { isYes, terminal }),
      });
      return 0;
    });
  },
};

function readOptions(command: Command) {
  const { json, dataDir, yes } = command.optsWithGlobals<CommonOptions>();
  return { isJson: json ?? false, dataDir, isYes: yes ?? false };
}

function requireDirectory(dataDir: string | undefined): void {
  if (dataDir === undefined || existsSync(dataDir)) return;
  throw new UsageError(`There is no directory ${dataDir}.`);
}

/** Runs a command on the installation that the options and the environment name. */
async function runIn(command: Command, work: CommandWork): Promise<number> {
  const { isJson, dataDir, isYes } = readOptions(command);
  requireDirectory(dataDir);
  const { findInstallation } = await import('./installation.ts');
  return work({
    installation: findInstallation(process.env, dataDir),
    isJson,
    output,
    progress: (what) => createProgress(process.stderr, { what, isJson }),
    confirm: (question) => confirm(question, { isYes, terminal }),
  });
}

/** Sets the exit code. Errors that an operator can mend are printed as a sentence. */
async function finish(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    await fail(error);
  }
}

async function fail(error: unknown): Promise<void> {
  process.stderr.write(`${await describeFailure(error)}\n`);
  process.exitCode = error instanceof UsageError ? USAGE_ERROR : 1;
}

/** Bugs are rethrown. Errors in the command line are printed in commander's form. */
async function describeFailure(error: unknown): Promise<string> {
  if (error instanceof UsageError) return `error: ${error.message}\n${usageHint}`;
  if (error instanceof OperatorError) return error.message;
  const { describePostgresError } = await import('./describe-postgres-error.ts');
  const refused = describePostgresError(error);
  if (refused !== undefined) return refused;
  if (error instanceof Unavailable) {
    return error.remedy === undefined
      ? `${error.message} annals doctor looks for the cause.`
      : `${error.message}: ${error.remedy}.`;
  }
  throw error;
}

try {
  await createProgram(runner).parseAsync();
} catch (error) {
  // Commander has printed its own errors already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  else await fail(error);
}
