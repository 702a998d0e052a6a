/** `npm run backup -- <file>`: an archive of what cannot be made again of a stopped `npm start`, without its keys. */
import { join, resolve } from 'node:path';
import { backUpLog } from './data-directory/back-up-log.ts';
import { OperatorError } from './operator-error.ts';
import { createTerminal } from './terminal.ts';

// The archive holds every record.
process.umask(0o077);
const terminal = createTerminal(process.stdout, process.stderr);
const directory = resolve(process.env['ANNALS_DATA_DIR'] || '.annals');
const [file, ...others] = process.argv.slice(2);
try {
  if (file === undefined || others.length > 0) {
    throw new OperatorError('Name the file to write: npm run backup -- annals-log.tgz');
  }
  const archive = resolve(file);
  await terminal.during('Backing up the log', backUpLog({ directory, archive, env: process.env }));
  terminal.print(`${archive} holds the log. Back up ${join(directory, 'secret.key')} and`);
  terminal.print(
    `${join(directory, 'seed.json')} as well, in another place: it opens nothing without.`,
  );
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  terminal.warn(error.message);
  process.exitCode = 1;
}
