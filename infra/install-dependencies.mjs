// Plain JavaScript without dependencies: this runs before anything is installed, on Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const modules = join(root, 'node_modules');
const REMINDER_INTERVAL_MS = 10_000;

/** The Node that runs Annals: the one in the npm package `node`, whichever version the machine has. */
export const projectNode = join(modules, 'node', 'bin', 'node');

/**
 * Installs the packages in package-lock.json unless all are installed already, and repairs incomplete installs.
 *
 * @returns {Promise<void>} rejects with a message for the terminal
 */
export async function installDependencies() {
  if (!isInstalled()) await installPackages();
  await repairNode();
}

/**
 * Compares the lock file with npm's record of its last install, package by package. Modification times are useless
 * here: a checkout or a second `npm install` changes them.
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
      'npm could not install the packages; see its output above. Check the network and the registry that npm uses, then start again.',
    );
  }
}

/** npm 11 may skip install scripts; without its install script, the package `node` has no executable. */
async function repairNode() {
  if (isNodeInstalled()) return;
  process.stdout.write('Fetching Node 24 …\n');
  await run(process.execPath, ['installArchSpecificPackage.js'], join(modules, 'node'));
  if (isNodeInstalled()) return;
  throw new Error(
    'Could not install Node 24, which Annals runs on. Run `npm rebuild node`, or install Node 24 yourself and run `npm ci`.',
  );
}

/** @returns {boolean} */
function isNodeInstalled() {
  const { stdout } = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  return /^v24\./.test(stdout ?? '');
}

/**
 * Runs npm, preferably the one that started this script, with the machine's Node, because the project's own Node is
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
 * @returns {Promise<number | null>} the exit code; null if it was killed by a signal or could not be started
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
