/** `annals access`: prints the users, passwords and keys that `annals setup` created, as JSON. */
import { readTextIfPresent } from '../local/data-directory/private-file.ts';
import { keys } from './keys.ts';

const access = readTextIfPresent(keys.access);
if (access === undefined) {
  process.stderr.write(
    `${keys.access} does not exist. Run annals setup first, unless the keys were created elsewhere.\n`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write(access);
}
