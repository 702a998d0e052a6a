import { counted } from '../../../shared/domain/counted.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { secondFactorType } from '../../../shared/domain/login/second-factor.ts';
import { signInProviderType } from '../../../shared/domain/login/sign-in-provider.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('secret key');

const keyForm = /^[0-9a-fA-F]{64}$/;
/** The attributes that contain sealed secrets, by entity type. */
const sealed: readonly (readonly [string, readonly string[]])[] = [
  ['User', ['apiKey', 'secretKey']],
  ['Webhook', ['secretKey', 'previousSecretKey', 'sealedHeaders']],
  [secondFactorType, ['totpSecret']],
  [signInProviderType, ['clientSecret']],
];

/** Checks that the secret key of the services can decrypt the secrets in the log. */
export function checkSecretKey(key: string | undefined, directory: Directory): Finding {
  if (key === undefined) {
    return warning({
      code: 'secretKey.unknown',
      says: 'The secret key is not known here.',
      remedy: 'set ANNALS_SECRET_KEY_FILE to the same value as for the services',
    });
  }
  if (!keyForm.test(key)) {
    return fault({
      code: 'secretKey.malformed',
      says: 'The secret key is not 64 hexadecimal characters.',
      remedy: 'restore it from a backup',
    });
  }
  const texts = sealedTexts(directory);
  const { tryOpen } = createSecretBox(key);
  const closed = texts.filter(({ text }) => tryOpen(text) === null);
  const parameters = { opened: texts.length - closed.length, count: texts.length };
  if (closed.length === 0) {
    const says = `The secret key opens all ${counted(texts.length, 'secret')} of the log.`;
    return ok({ code: 'secretKey.right', says, parameters });
  }
  if (closed.length === texts.length) {
    return fault({
      code: 'secretKey.other',
      says: `The secret key opens none of the ${counted(texts.length, 'secret')} of the log: it is another key.`,
      remedy:
        'restore the former key from a backup, and start every service with it. If it is lost, run annals user rotate for each API user, and set new secrets for webhooks and second factors',
      parameters,
    });
  }
  const named = [...new Set(closed.map(({ owner }) => owner))];
  return fault({
    code: 'secretKey.someOther',
    says: `The secret key opens ${parameters.opened} of the ${counted(texts.length, 'secret')} of the log, but not those of ${named.join(', ')}.`,
    remedy:
      'a service with another key wrote these: run annals user rotate, or call rotateSecret of the webhook',
    parameters: { ...parameters, owners: named.join(', ') },
  });
}

function sealedTexts(directory: Directory) {
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
