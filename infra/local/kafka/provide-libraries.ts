import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { patchBroker } from '../../kafka-patch/patch-broker.ts';
import { kafkaLibraryDirectory, kafkaVersion } from '../../prerequisites.mjs';
import { errorCode, OperatorError } from '../operator-error.ts';
import { collectOutput, type SpawnChild } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';
import { tryOr } from '../try-or.ts';

const pomFile = join(import.meta.dirname, 'pom.xml');
// The directory gets its final name only when Maven has copied everything, so checking two jars is enough.
const requiredJars = [`kafka_2.13-${kafkaVersion}.jar`, `kafka-tools-${kafkaVersion}.jar`];

/** Downloads the jars unless they exist. Several starts can safely do so simultaneously. */
export async function provideKafkaLibraries(deps: {
  readonly env: NodeJS.ProcessEnv;
  readonly spawn: SpawnChild;
  readonly terminal: Terminal;
}): Promise<string> {
  const directory = kafkaLibraryDirectory(deps.env);
  if (isComplete(directory)) return directory;

  await mkdir(dirname(directory), { recursive: true });
  const unfinished = await mkdtemp(`${directory}.new-`);
  try {
    await fetchLibraries(unfinished, deps);
    patchBroker(unfinished);
    await moveIntoPlace(unfinished, directory);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return directory;
}

async function fetchLibraries(
  target: string,
  deps: { readonly spawn: SpawnChild; readonly terminal: Terminal },
): Promise<void> {
  const maven = await deps.spawn({
    name: 'maven',
    command: 'mvn',
    args: [
      '--batch-mode',
      `--file=${pomFile}`,
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${target}`,
    ],
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  });
  const output = collectOutput(maven);
  const exit = await deps.terminal.during(
    `Downloading Apache Kafka ${kafkaVersion} with Maven (54 MB, once on this machine)`,
    maven.exited,
    () => `${countDownloads(output.text())} files downloaded`,
  );
  if (exit.code === 0 && isComplete(target)) return;
  throw new OperatorError(
    `Maven could not download Apache Kafka ${kafkaVersion}: ${firstError(output.text())} Check the network and Maven's settings, then start again, or set KAFKA_BROKERS to the address of a running Kafka.`,
  );
}

function isComplete(directory: string): boolean {
  const jars = tryOr(() => readdirSync(directory), []);
  return requiredJars.every((jar) => jars.includes(jar));
}

async function moveIntoPlace(unfinished: string, directory: string): Promise<void> {
  try {
    await rename(unfinished, directory);
  } catch (error) {
    const isTaken = errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST';
    if (isTaken && isComplete(directory)) return;
    if (!isTaken) throw error;
    await rm(directory, { recursive: true, force: true });
    await rename(unfinished, directory);
  }
}

const countDownloads = (output: string): number => output.split('Downloaded from').length - 1;

function firstError(output: string): string {
  const line = output.split('\n').find((each) => each.includes('[ERROR]')) ?? 'it gave no reason';
  const reason = line.replace(/^.*\[ERROR\]\s*/, '').trim();
  return reason.endsWith('.') ? reason : `${reason}.`;
}
