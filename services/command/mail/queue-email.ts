import type { MailSettings } from '../../../shared/config/mail-settings.ts';
import { userModelOf } from '../../../shared/domain/directory/user-model-of.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type EmailKind,
  type FindingNews,
  GIVE_UP_AFTER_MS,
  type PasswordRequest,
} from '../../../shared/domain/mail/queued-email.ts';
import { preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { BaseContext } from '../context.ts';
import type { CommandAnswer } from '../owner/command.ts';
import { bySystem } from '../owner/command.ts';
import { queueEmailCommand } from './email-commands.ts';
import { type EmailText, type EmailTexts, emailTextsFor, type UserValues } from './email-texts.ts';

interface ForUser {
  readonly kind: EmailKind;
  readonly user: RecordState;
  readonly write: (texts: EmailTexts, values: UserValues) => EmailText;
  readonly passwordRequest?: PasswordRequest;
  readonly replacesRequest?: boolean;
  readonly finding?: FindingNews;
}

const MAX_SUBJECT_CHARACTERS = 200;
const MAX_TEXT_CHARACTERS = 20_000;
/** One address that needs no quoting. */
const address = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,189}$/;

/** Queues an e-mail to a user. Resolves once it is in the log. */
export async function queueEmail(
  context: BaseContext,
  { kind, user, write, passwordRequest, replacesRequest = false, finding }: ForUser,
): Promise<CommandAnswer> {
  const { clock, config, directory, newId, now, secrets, sender, timeoutMs } = context;
  const { siteUrl } = requireMail(config);
  const to = requireAddress(user);
  const model = userModelOf(directory);
  const texts = emailTextsFor(directory.record(preferencesType, user.id));
  const { subject, text } = write(texts, { ...namesOf(user), siteUrl });
  const content = {
    to,
    subject: onOneLine(subject).slice(0, MAX_SUBJECT_CHARACTERS),
    text: text.slice(0, MAX_TEXT_CHARACTERS),
  };
  const atMs = clock.now();
  const giveUpAtMs = atMs + GIVE_UP_AFTER_MS;
  return sender.send(queueEmailCommand, {
    ...bySystem,
    isDecided: true,
    id: newId(),
    model,
    deadline: now() + timeoutMs,
    body: {
      email: {
        kind,
        userId: user.id,
        recipientHash: recipientHashOf(context, to),
        content: secrets.seal(JSON.stringify(content)),
        expiresAtMs: Math.min(giveUpAtMs, passwordRequest?.expiresAtMs ?? giveUpAtMs),
        passwordRequest: passwordRequest ?? null,
        finding: finding ?? null,
      },
      atMs,
      replacesRequest,
    },
  });
}

/** Identifies an address without revealing it. */
export function recipientHashOf(
  { secrets }: Pick<BaseContext, 'secrets'>,
  emailAddress: string,
): string {
  return secrets.tokenHash(`e-mail to ${emailAddress.toLowerCase()}`);
}

/** Returns the settings. Throws if this installation does not send e-mail. */
export function requireMail({ mail }: { readonly mail: MailSettings | undefined }): MailSettings {
  if (mail !== undefined) return mail;
  throw new Refusal(
    'forbidden',
    'mail.off',
    'This installation does not send e-mail. Set SMTP_URL, MAIL_FROM and PUBLIC_URL to turn it on.',
  );
}

/** Returns the user's address. Throws if the user has no usable one. */
export function requireAddress({ values }: RecordState): string {
  const { emailAddress } = values;
  if (typeof emailAddress === 'string' && address.test(emailAddress)) return emailAddress;
  throw new Refusal('forbidden', 'mail.no_address', 'The user has no e-mail address.');
}

function namesOf({ values }: RecordState): Omit<UserValues, 'siteUrl'> {
  const userName = onOneLine(String(values['userName']));
  const { name } = values;
  return { userName, name: typeof name === 'string' && name !== '' ? onOneLine(name) : userName };
}

/** Names come from administrators and API clients. A line break in a name must not begin another paragraph. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
