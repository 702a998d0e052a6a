import { existsSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { Unavailable } from '../../shared/domain/errors.ts';
import { errorCode, OperatorError } from '../local/operator-error.ts';
import type { AloneContext, Runner } from './command-context.ts';
import { confirm } from './confirm.ts';
import { createProgram } from './program.ts';
import { createProgress } from './progress.ts';
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
// A closed pipe (`annals status | head`) is not a failure.
process.stdout.on('error', (error) => {
  if (errorCode(error) === 'EPIPE') process.exit();
  throw error;
});
const terminal = { input: process.stdin, output: process.stderr };

const runner: Runner = {
  async run(command, work) {
    await finish(async () => {
      const context = toContext(command);
      const { findInstallation } = await import('./installation.ts');
      return work({ ...context, installation: findInstallation(process.env, context.dataDir) });
    });
    // Exits explicitly, because a connection to a hanging broker would keep the process alive.
    process.stdout.write('', () => process.exit());
  },
  runAlone: (command, work) => finish(async () => work(toContext(command))),
};

function toContext(command: Command): AloneContext {
  const { json: isJson = false, dataDir, yes = false } = command.optsWithGlobals<CommonOptions>();
  if (dataDir !== undefined && !existsSync(dataDir)) {
    throw new UsageError(`The directory ${dataDir} does not exist.`);
  }
  return {
    dataDir,
    isJson,
    output,
    printResult(result, lines) {
      for (const line of isJson ? [JSON.stringify(result)] : lines) output.print(line);
    },
    progress: (what) => createProgress(process.stderr, { what, isJson }),
    confirm: (question) => confirm(question, { isYes: yes, terminal }),
  };
}

/** Runs `work` and sets the exit code. If an operator can fix an error, prints it as a sentence. */
async function finish(work: () => Promise<unknown>): Promise<void> {
  try {
    const answer = await work();
    process.exitCode = typeof answer === 'number' ? answer : 0;
  } catch (error) {
    await fail(error);
  }
}

async function fail(error: unknown): Promise<void> {
  process.stderr.write(`${await describeFailure(error)}\n`);
  process.exitCode = error instanceof UsageError ? USAGE_ERROR : 1;
}

/** Rethrows bugs. Formats command-line errors as commander does. */
async function describeFailure(error: unknown): Promise<string> {
  if (error instanceof UsageError) return `error: ${error.message}\n${usageHint}`;
  if (error instanceof OperatorError) return error.message;
  const { describePostgresError } = await import('./describe-postgres-error.ts');
  const refused = describePostgresError(error);
  if (refused !== undefined) return refused;
  if (error instanceof Unavailable) {
    return error.remedy === undefined
      ? `${error.message.replace(/[.]?$/, '.')} Run annals doctor to find the cause.`
      : `${error.message}: ${error.remedy}.`;
  }
  const { ReadBeyondLog } = await import('../../shared/kafka/read-partitions.ts');
  if (error instanceof ReadBeyondLog) return `${error.message}: ${error.remedy}.`;
  throw error;
}

try {
  await createProgram(runner).parseAsync();
} catch (error) {
  // Commander has already printed its own errors.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  else await fail(error);
}
