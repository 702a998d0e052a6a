import { randomBytes } from 'node:crypto';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import { hashPassword } from '../../../shared/secrets/password-hash.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';
import { aCreation } from './record-event-builder.ts';

type Values = Readonly<Record<string, AttributeValue>>;

export interface UserBuilder {
  /** Events in order of creation, to be appended to the directory. */
  readonly events: readonly RecordEvent[];
  role(data: Values): string;
  withApiKey(values?: Values): { readonly apiKey: string };
  withHmac(values?: Values): { readonly apiKey: string; readonly secretKey: string };
  withPassword(values?: Values): Promise<{ readonly userName: string; readonly password: string }>;
}

/** Builds users for a product that has the master key of the box. */
export function createUserBuilder(secrets: SecretBox): UserBuilder {
  const events: RecordEvent[] = [];
  const random = (): string => randomBytes(16).toString('hex');

  function add(entityType: string, values: Values): string {
    const event = aCreation(entityType, values);
    events.push(event);
    return event.recordId;
  }

  function addUser(values: Values): string {
    const userName = `user-${random()}`;
    const names = { userName, lastName: userName, name: userName };
    add('User', { ...names, isActive: true, teamsIds: [], rolesIds: [], ...values });
    return userName;
  }

  const sealedKey = (apiKey: string): Values => ({
    type: 'api',
    apiKey: secrets.seal(apiKey),
    apiKeyHash: secrets.lookupHash(apiKey),
  });

  return {
    events,
    role: (data) => add('Role', { name: random(), data }),
    withApiKey(values = {}) {
      const apiKey = random();
      addUser({ ...sealedKey(apiKey), authMethod: 'ApiKey', ...values });
      return { apiKey };
    },
    withHmac(values = {}) {
      const keys = { apiKey: random(), secretKey: random() };
      const secretKey = secrets.seal(keys.secretKey);
      addUser({ ...sealedKey(keys.apiKey), authMethod: 'Hmac', secretKey, ...values });
      return keys;
    },
    async withPassword(values = {}) {
      const password = random();
      const passwordHash = await hashPassword(password);
      return { userName: addUser({ type: 'regular', passwordHash, ...values }), password };
    },
  };
}
