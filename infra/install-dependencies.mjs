// Plain JavaScript without dependencies: this runs before anything is installed, on Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const REMINDER_INTERVAL_MS = 10_000;

/** The Node that runs Annals: the one of the npm package `node`, whatever the machine has. */
export const projectNode = join(modules, 'node', 'bin', 'node');

/**
 * Installs what package-lock.json names, unless it is there, and mends what npm left undone.
 *
 * @returns {Promise<void>} rejects with a sentence for the person at the terminal
 */
export async function installDependencies() {
  if (!isInstalled()) await installPackages();
  await mendNode();
}

/**
 * Compares the lock file with what npm noted of its last install, package by package. Times say
 * nothing: a checkout or a second `npm install` changes them.
 *
 * @returns {boolean}
 */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(modules, '.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

/**
 * @param {string} path
 * @returns {Record<string, {version?: string, optional?: boolean}>}
 */
function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

async function installPackages() {
  const startedAt = Date.now();
  process.stdout.write('Installing the packages of package-lock.json …\n');
  const reminder = setInterval(() => {
    process.stdout.write(`  … ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  }, REMINDER_INTERVAL_MS);
  const code = await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  clearInterval(reminder);
  if (code !== 0) {
    throw new Error(
      'npm could not install the packages (its own words stand above): check the network and the registry that npm uses, and start again.',
    );
  }
}

/** npm 11 may skip install scripts; without its own the package `node` has no program. */
async function mendNode() {
  if (isNodeFit()) return;
  process.stdout.write('Fetching Node 24 …\n');
  await run(process.execPath, ['installArchSpecificPackage.js'], join(modules, 'node'));
  if (isNodeFit()) return;
  throw new Error(
    'Node 24, which runs Annals, could not be installed: run `npm rebuild node`, or start with a Node 24 of your own and `npm ci`.',
  );
}

/** @returns {boolean} */
function isNodeFit() {
  const { stdout } = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  return /^v24\./.test(stdout ?? '');
}

/**
 * The npm that runs us if there is one, and by the Node of the machine: the project's own one is
 * about to be replaced.
 *
 * @param {readonly string[]} args
 * @returns {Promise<number | null>}
 */
async function runNpm(args) {
  const cli = process.env['npm_execpath'];
  return cli?.endsWith('.js') ? run('node', [cli, ...args], root) : run('npm', args, root);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<number | null>} the exit code; null if it was ended by a signal or cannot be run
 */
async function run(command, args, cwd) {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((directory) => !directory.startsWith(modules))
    .join(delimiter);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      stdio: 'inherit',
      env: { ...process.env, PATH: path },
    });
    child.on('error', () => resolve(null));
    child.on('exit', (code) => resolve(code));
  });
}
