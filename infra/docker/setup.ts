/**
 * `annals setup`: creates the keys of a containerized installation on the first run; later runs keep them. It also
 * writes the patched Kafka classes to the brokers' volume (docs/adr/0036). The services read the keys through
 * ANNALS_SECRET_KEY_FILE, DATABASE_URL_FILE, KAFKA_SASL_PASSWORD_FILE and ANNALS_SEED_FILE.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPatchedClasses, storageJar } from '../kafka-patch/patch-broker.ts';
import {
  providePassword,
  writePrivateFile,
  writePrivateJson,
} from '../local/data-directory/private-file.ts';
import { provideSecretKey } from '../local/data-directory/secret-key.ts';
import { provideSeed } from '../local/data-directory/seed-file.ts';
import {
  brokerAccount,
  clientSettings,
  loginSettings,
  renderProperties,
} from '../local/kafka/kafka-properties.ts';
import { adoptKeys } from './adopt-keys.ts';
import { formerKeysDirectory, kafkaListeners, keys } from './keys.ts';

const port = process.env['ANNALS_PORT'] || '8080';
const user = 'annals';

const kept = [keys.secretKey, keys.seed, keys.password, keys.kafkaPassword] as const;
if (adoptKeys(formerKeysDirectory, kept)) {
  process.stdout.write('Copied the keys from the volume that both profiles shared in 0.1.0.\n');
}
provideSecretKey(keys.secretKey);
const seed = provideSeed(keys.seed);
const password = providePassword(keys.password);
writePrivateFile(keys.databasePassword, password);
// Postgres runs as another user, who must be able to read the file.
chmodSync(keys.databasePassword, 0o444);
writePrivateFile(keys.databaseUrl, `postgres://${user}:${password}@postgres:5432/annals\n`);

const account = brokerAccount(providePassword(keys.kafkaPassword));
writePrivateFile(
  keys.kafkaServerProperties,
  renderProperties(loginSettings(account, kafkaListeners)),
);
writePrivateFile(keys.kafkaClientProperties, renderProperties(clientSettings(account)));
for (const file of [keys.kafkaServerProperties, keys.kafkaClientProperties]) {
  // Kafka may run as another user, and its image copies the file with this mode and then appends to the copy.
  chmodSync(file, 0o644);
}

for (const [path, patched] of readPatchedClasses(readFileSync(join('/app/kafka', storageJar)))) {
  const classFile = join(keys.kafkaClasses, path);
  mkdirSync(dirname(classFile), { recursive: true });
  writeFileSync(classFile, patched);
}

writePrivateJson(keys.access, { url: `http://127.0.0.1:${port}`, ...seed });
process.stdout.write('The keys are ready. To show them: docker compose exec api annals access\n');
