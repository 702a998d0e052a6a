// The only program in Annals that runs before packages are installed: plain JavaScript for Node 20, without
// dependencies. Installs the packages, then runs the requested program with the project's own Node 24.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { installDependencies, projectNode } from './install-dependencies.mjs';
import { findDockerHosts, findMissingKafkaTool } from './prerequisites.mjs';

const MIN_NODE = 20;
const root = join(import.meta.dirname, '..');
const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
/** @param {readonly string[]} projects */
const tests = (...projects) => [...vitest, ...projects.flatMap((name) => ['--project', name])];
const everyChange = ['unit*', 'infrastructure', 'api', 'smoke'];
const slow = ['process*', 'property', 'journeys', 'chart'];
const bin = 'node_modules/.bin';
/** Node's compile cache, which saves each process a second or two. */
const compileCache = join(root, 'node_modules', '.cache', 'annals', 'compiled');
/** The compiler's incremental state, so that it checks only changed files and their dependents. */
const typesBefore = join(root, 'node_modules', '.cache', 'annals', 'types.tsbuildinfo');

/**
 * The programs that each command runs: one after another, or with `together` in parallel, one per processor. The
 * program in `before` runs first. The last program receives the caller's arguments.
 *
 * @type {Readonly<Record<string, {programs: readonly (readonly string[])[], before?: readonly string[], needsKafka?:
 * boolean, together?: boolean}>>}
 */
const commands = {
  start: { programs: [['infra/local/start.ts']], needsKafka: true },
  dev: { programs: [['infra/local/start.ts', '--dev']], needsKafka: true },
  test: { programs: [tests(...everyChange)], needsKafka: true },
  'test:unit': { programs: [tests('unit*')] },
  'test:integration': { programs: [tests('infrastructure')], needsKafka: true },
  'test:e2e': { programs: [tests('api', 'smoke', 'process*')], needsKafka: true },
  'test:slow': { programs: [tests(...slow)], needsKafka: true },
  'test:all': { programs: [tests(...everyChange, ...slow)], needsKafka: true },
  'test:journeys': { programs: [tests('journeys')], needsKafka: true },
  compose: { programs: [tests('compose')] },
  chart: { programs: [tests('chart')] },
  chaos: { programs: [tests('chaos')], needsKafka: true },
  bench: { programs: [['test/bench/run.ts']], needsKafka: true },
  million: { programs: [['test/journeys/run-million.ts']], needsKafka: true },
  verify: { programs: [['test/bench/verify/run.ts']], needsKafka: true },
  pictures: { programs: [['test/pictures/run.ts']], needsKafka: true },
  compat: { programs: [['test/compat/run.ts']], needsKafka: true },
  disk: { programs: [['test/disk/run.ts']], needsKafka: true },
  soak: { programs: [['test/soak/run.ts']], needsKafka: true },
  annals: { programs: [['infra/cli/main.ts']] },
  console: { programs: [['infra/console/serve.ts']] },
  pack: {
    programs: [
      [`${bin}/tsc`, '-p', 'tsconfig.testing.json'],
      [`${bin}/tsc`, '-p', 'tsconfig.testing-host.json'],
      ['infra/pack/pack.ts'],
    ],
  },
  check: {
    before: ['infra/console/write-api-types.ts'],
    together: true,
    // Slowest first, so that they do not finish long after the others.
    programs: [
      [`${bin}/eslint`, '.'],
      [`${bin}/tsc`, '--noEmit', '--incremental', '--tsBuildInfoFile', typesBefore],
      [`${bin}/tsc`, '--noEmit', '--project', 'services/console'],
      [`${bin}/biome`, 'ci', '.'],
      [`${bin}/depcruise`, 'services', 'shared', 'infra', 'test'],
      [`${bin}/depcruise`, '--config', '.dependency-cruiser-folders.cjs', 'services', 'shared'],
      [`${bin}/knip`],
      ['infra/check-english.ts'],
      ['infra/console/check-budget.ts'],
    ],
  },
  fix: {
    programs: [
      [`${bin}/biome`, 'check', '--write', '.'],
      [`${bin}/eslint`, '--fix', '.'],
    ],
  },
};

process.exitCode = await main(process.argv.slice(2));

/**
 * @param {readonly string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function main([name = '', ...args]) {
  const command = commands[name];
  try {
    if (command === undefined) {
      throw new Error(`Unknown command "${name}". Commands: ${Object.keys(commands).join(', ')}.`);
    }
    checkMachine(command.needsKafka === true);
    await installDependencies();
    const failure = command.before === undefined ? 0 : await runProgram(command.before);
    const programs = command.programs.map((program, index, { length }) =>
      index === length - 1 ? [...program, ...args] : program,
    );
    return (await runAll(programs, command.together === true)) || failure;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
}

/**
 * Checks prerequisites before a long install instead of after it.
 *
 * @param {boolean} needsKafka
 */
function checkMachine(needsKafka) {
  const found = process.versions.node;
  if (Number.parseInt(found, 10) < MIN_NODE) {
    throw new Error(
      `Annals needs Node ${MIN_NODE} or newer to install itself, but this is Node ${found}. Install a newer version.`,
    );
  }
  const { KAFKA_BROKERS: brokers, ANNALS_INFRA: place } = process.env;
  const mayUseDocker = place !== 'local' && findDockerHosts(process.env).length > 0;
  if (!needsKafka || brokers || place === 'docker' || mayUseDocker) return;
  const missing = findMissingKafkaTool(process.env);
  if (missing !== undefined) throw new Error(missing);
}

/**
 * Runs all programs, even after a failure, so that developers see all findings in one run. Programs that run in
 * parallel print their output only when they end, so that it is not interleaved.
 *
 * @param {readonly (readonly string[])[]} programs
 * @param {boolean} isTogether
 * @returns {Promise<number>} the first exit code that is not 0
 */
async function runAll(programs, isTogether) {
  const left = programs.values();
  let firstFailure = 0;
  const runNext = async () => {
    for (const program of left) {
      const code = await runProgram(program, isTogether);
      firstFailure ||= code;
    }
  };
  await Promise.all(Array.from({ length: isTogether ? availableParallelism() : 1 }, runNext));
  return firstFailure;
}

/**
 * @param {readonly string[]} program
 * @param {boolean} [isCollected] whether to print the output only when the program ends
 * @returns {Promise<number>}
 */
async function runProgram(program, isCollected = false) {
  const color = isCollected && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(projectNode, program, {
    cwd: root,
    stdio: isCollected ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { NODE_COMPILE_CACHE: compileCache, ...color, ...process.env },
  });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => output.push(data));
  // The program handles the signal and stops its parts in order. This script only waits for it to exit.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.stdout.write(Buffer.concat(output));
      resolve(signal === null ? (code ?? 1) : 1);
    });
  });
}
