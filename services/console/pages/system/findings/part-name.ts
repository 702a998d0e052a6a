import type { Translate } from '../../../language/translate.ts';
import type { MessageKey } from '../../../messages/en.ts';

/** The parts of an installation that are checked. */
const names: Readonly<Record<string, MessageKey>> = {
  Kafka: 'shell.partKafka',
  Postgres: 'shell.partPostgres',
  log: 'shell.partLog',
  services: 'shell.partServices',
  'read model': 'shell.partReadModel',
  files: 'shell.partFiles',
  webhooks: 'shell.partWebhooks',
  topics: 'shell.partTopics',
  disk: 'shell.partDisk',
  'secret key': 'shell.partSecretKey',
  directory: 'shell.partDirectory',
};

/** Returns the name of a part in the user's language. */
export function partName(part: string, t: Translate<MessageKey>): string {
  const key = names[part];
  return key === undefined ? part : t(key);
}
