import type { Translate } from '../../../language/translate.ts';
import type { MessageKey } from '../../../messages/en.ts';

/** The parts of an installation that are checked. */
const names: Readonly<Record<string, MessageKey>> = {
  Kafka: 'system.partKafka',
  Postgres: 'system.partPostgres',
  log: 'system.partLog',
  services: 'system.partServices',
  'read model': 'system.partReadModel',
  files: 'system.partFiles',
  webhooks: 'system.partWebhooks',
  topics: 'system.partTopics',
  disk: 'system.partDisk',
  'secret key': 'system.partSecretKey',
  directory: 'system.partDirectory',
};

/** Returns the name of a part in the user's language. */
export function partName(part: string, t: Translate<MessageKey>): string {
  const key = names[part];
  return key === undefined ? part : t(key);
}
