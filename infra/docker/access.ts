/** `annals access`: the users, passwords and keys that `annals setup` made, as JSON. */
import { readTextIfPresent } from '../local/data-directory/private-file.ts';
import { keys } from './keys.ts';

const access = readTextIfPresent(keys.access);
if (access === undefined) {
  process.stderr.write(`There is no ${keys.access}: run annals setup, or ask who made the keys.\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(access);
}
