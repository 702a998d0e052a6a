import { counted } from '../../../shared/domain/counted.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { secondFactorType } from '../../../shared/domain/login/second-factor.ts';
import { createSecretBox, type SecretBox } from '../../../shared/secrets/secret-box.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('secret key');

const keyForm = /^[0-9a-fA-F]{64}$/;
/** The sealed attributes by entity type. */
const sealed: readonly (readonly [string, readonly string[]])[] = [
  ['User', ['apiKey', 'secretKey']],
  ['Webhook', ['secretKey', 'previousSecretKey', 'sealedHeaders']],
  [secondFactorType, ['totpSecret']],
];

/** Checks that the key of the services opens the secrets in the log. */
export function checkSecretKey(
  key: string | undefined,
  directory: Pick<Directory, 'records'>,
): Finding {
  if (key === undefined) {
    return warning(
      'is not known here',
      'set ANNALS_SECRET_KEY_FILE to the same value as for the services',
    );
  }
  if (!keyForm.test(key)) {
    return fault('is not 64 hexadecimal characters', 'restore it from a backup');
  }
  const texts = sealedTexts(directory);
  const box = createSecretBox(key);
  const closed = texts.filter(({ text }) => !opens(box, text));
  if (closed.length === 0) return ok(`opens all ${counted(texts.length, 'secret')} of the log`);
  if (closed.length === texts.length) {
    return fault(
      `opens none of the ${counted(texts.length, 'secret')} of the log: it is another key`,
      'restore the former key from a backup, and start every service with it. If it is lost, run annals user rotate for each API user, and set new secrets for webhooks and second factors',
    );
  }
  const named = [...new Set(closed.map(({ owner }) => owner))];
  return fault(
    `opens ${texts.length - closed.length} of the ${counted(texts.length, 'secret')} of the log, but not those of ${named.join(', ')}`,
    'a service with another key wrote these: run annals user rotate, or call rotateSecret of the webhook',
  );
}

function sealedTexts(directory: Pick<Directory, 'records'>) {
  return sealed.flatMap(([entityType, attributes]) =>
    directory.records(entityType).flatMap(({ id, values }) =>
      attributes.flatMap((attribute) => {
        const text = values[attribute];
        const owner = `${entityType} ${values['userName'] ?? id}`;
        return typeof text === 'string' ? [{ owner, text }] : [];
      }),
    ),
  );
}

function opens(box: Pick<SecretBox, 'open'>, text: string): boolean {
  try {
    box.open(text);
    return true;
  } catch {
    return false;
  }
}
