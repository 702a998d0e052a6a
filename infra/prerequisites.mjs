// Plain JavaScript without dependencies: bootstrap.mjs uses it on Node 20, before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const kafkaVersion = '4.1.1';
const MIN_JAVA = 17;
const alternative =
  'Alternatively, set KAFKA_BROKERS to the address of a running Kafka; then neither Java nor Maven is needed.';

/**
 * Returns a message with the remedy if this machine lacks a prerequisite for running Kafka locally; undefined if
 * nothing is missing.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string | undefined}
 */
export function findMissingKafkaTool(env) {
  const java = findJavaVersion(javaCommand(env['JAVA_HOME']));
  if (java === undefined) {
    return `Annals runs a local Kafka but found no Java. Install Java ${MIN_JAVA} or newer (Debian: apt-get install openjdk-17-jre-headless). ${alternative}`;
  }
  if (java < MIN_JAVA) {
    return `Annals runs a local Kafka but found Java ${java}. Install Java ${MIN_JAVA} or newer, or set JAVA_HOME to one. ${alternative}`;
  }
  const needsMaven = !existsSync(kafkaLibraryDirectory(env));
  if (needsMaven && spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return `Annals downloads Kafka with Maven but did not find it. Install it (Debian: apt-get install maven). ${alternative}`;
  }
  return undefined;
}

/**
 * Returns the directory with the jars of Apache Kafka, which are downloaded once per user and machine.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string}
 */
export function kafkaLibraryDirectory(env) {
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  // Jars with fewer patches are kept, because an earlier version of Annals may be running with them.
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
 * Returns sockets and addresses at which a Docker engine may listen, without checking whether one responds.
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
