// Plain JavaScript without dependencies: bootstrap.mjs asks before anything is installed, on Node 20.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const kafkaVersion = '4.1.1';
const LEAST_JAVA = 17;
const otherwise =
  'Or set KAFKA_BROKERS to the address of a running Kafka, then neither Java nor Maven is needed.';

/**
 * The prerequisites of a local Kafka that this machine lacks, as a sentence with the remedy; undefined if there are none.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string | undefined}
 */
export function findMissingKafkaTool(env) {
  const java = findJavaVersion(javaCommand(env['JAVA_HOME']));
  if (java === undefined) {
    return `Annals runs a local Kafka and found no Java: install Java ${LEAST_JAVA} or newer (Debian: apt-get install openjdk-17-jre-headless). ${otherwise}`;
  }
  if (java < LEAST_JAVA) {
    return `Annals runs a local Kafka and found Java ${java}: install Java ${LEAST_JAVA} or newer, or set JAVA_HOME to one. ${otherwise}`;
  }
  const needsMaven = !existsSync(kafkaLibraryDirectory(env));
  if (needsMaven && spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return `Annals fetches Kafka with Maven and found none: install it (Debian: apt-get install maven). ${otherwise}`;
  }
  return undefined;
}

/**
 * The jars of Apache Kafka, fetched once per user and machine.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string}
 */
export function kafkaLibraryDirectory(env) {
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  // Jars with fewer patches stay: an earlier version of Annals may run with them.
  return join(cache, 'annals', `kafka-${kafkaVersion}-patched-2`);
}

/**
 * @param {string | undefined} javaHome
 * @returns {string}
 */
export function javaCommand(javaHome) {
  return javaHome ? join(javaHome, 'bin', 'java') : 'java';
}

/**
 * Sockets and addresses at which a Docker engine may listen: only a reason to look closer.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {readonly string[]}
 */
export function findDockerHosts(env) {
  if (env['DOCKER_HOST']) return [env['DOCKER_HOST']];
  const directories = [
    '/var/run',
    ...(env['XDG_RUNTIME_DIR'] ? [env['XDG_RUNTIME_DIR']] : []),
    join(homedir(), '.docker', 'run'),
    join(homedir(), '.docker', 'desktop'),
  ];
  return directories
    .map((directory) => join(directory, 'docker.sock'))
    .filter((path) => existsSync(path))
    .map((path) => `unix://${path}`);
}

/**
 * @param {string} command
 * @returns {number | undefined}
 */
function findJavaVersion(command) {
  const { status, stderr, stdout } = spawnSync(command, ['-version'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  // `version "17.0.15"`, `version "21"`, and `version "1.8.0_392"` for Java 8.
  const [, major, minor] = /version "(\d+)(?:\.(\d+))?/.exec(`${stderr}${stdout}`) ?? [];
  if (major === undefined) return undefined;
  return Number(major === '1' ? (minor ?? major) : major);
}
