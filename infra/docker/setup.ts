/**
 * `annals setup`: makes the keys of an installation of containers, once; a later run leaves them as they are.
 * The services are told of them by ANNALS_SECRET_KEY_FILE, DATABASE_URL_FILE and ANNALS_SEED_FILE.
 */
import { chmodSync } from 'node:fs';
import { writePrivateFile, writePrivateJson } from '../local/data-directory/private-file.ts';
import { provideSecretKey } from '../local/data-directory/secret-key.ts';
import { provideSeed } from '../local/data-directory/seed-file.ts';
import { providePassword } from '../local/postgres/start-postgres.ts';
import { keys } from './keys.ts';

const port = process.env['ANNALS_PORT'] || '8080';
const user = 'annals';

provideSecretKey(keys.secretKey);
const seed = provideSeed(keys.seed);
const password = providePassword(keys.directory);
writePrivateFile(keys.databasePassword, password);
// Postgres runs as another user.
chmodSync(keys.databasePassword, 0o444);
writePrivateFile(keys.databaseUrl, `postgres://${user}:${password}@postgres:5432/annals\n`);
writePrivateJson(keys.access, { url: `http://127.0.0.1:${port}`, ...seed });
process.stdout.write('The keys are there. To see them: docker compose exec api annals access\n');
