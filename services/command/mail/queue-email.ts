import type { MailSettings } from '../../../shared/config/mail-settings.ts';
import { userModelOf } from '../../../shared/domain/directory/user-model-of.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type EmailContent,
  type EmailKind,
  type FindingNews,
  GIVE_UP_AFTER_MS,
  type NewEmail,
  type PasswordRequest,
} from '../../../shared/domain/mail/queued-email.ts';
import { preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { BaseContext } from '../context.ts';
import type { CommandAnswer } from '../owner/command.ts';
import { bySystem } from '../owner/command.ts';
import { queueEmailCommand } from './email-commands.ts';
import {
  type EmailText,
  type EmailTexts,
  emailTextsFor,
  onOneLine,
  type UserValues,
} from './email-texts.ts';

interface ForUser {
  readonly kind: EmailKind;
  readonly user: RecordState;
  /** An earlier address of the user. Defaults to the current one. */
  readonly to?: string;
  readonly write: (texts: EmailTexts, values: UserValues) => EmailText;
  readonly passwordRequest?: PasswordRequest;
  readonly replacesRequest?: boolean;
  readonly finding?: FindingNews;
  readonly id?: string;
  readonly expiresAtMs?: number;
}

const MAX_SUBJECT_CHARACTERS = 200;
const MAX_TEXT_CHARACTERS = 20_000;
/** Longer HTML is omitted, because a cut could hide the link. */
export const MAX_HTML_CHARACTERS = 20_000;
/** One address that needs no quoting. */
const address = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,189}$/;

/** Queues an e-mail to a user. Resolves once it is in the log. */
export async function queueEmail(
  context: BaseContext,
  { kind, user, to, write, passwordRequest, replacesRequest = false, finding, ...rest }: ForUser,
): Promise<CommandAnswer> {
  const { config, directory } = context;
  const { siteUrl } = requireMail(config);
  const texts = emailTextsFor(directory.record(preferencesType, user.id));
  const content = {
    to: to ?? requireAddress(user),
    ...write(texts, { ...namesOf(user), siteUrl }),
  };
  return queueContent(context, content, {
    kind,
    userId: user.id,
    expiresAtMs: passwordRequest?.expiresAtMs ?? Number.POSITIVE_INFINITY,
    ...rest,
    passwordRequest: passwordRequest ?? null,
    finding: finding ?? null,
    replacesRequest,
  });
}

/** An e-mail in the queue without its content. */
interface Queued extends Omit<NewEmail, 'content' | 'recipientHash'> {
  readonly replacesRequest?: boolean;
  /** An e-mail with the same id is queued only once. */
  readonly id?: string;
}

/** Queues an e-mail to any address. Resolves once it is in the log. */
export async function queueContent(
  context: BaseContext,
  { to, subject, text, html }: EmailContent,
  { id, expiresAtMs, replacesRequest = false, ...email }: Queued,
): Promise<CommandAnswer> {
  const { clock, directory, newId, now, secrets, sender, timeoutMs } = context;
  const content: EmailContent = {
    to,
    subject: onOneLine(subject).slice(0, MAX_SUBJECT_CHARACTERS),
    text: text.slice(0, MAX_TEXT_CHARACTERS),
    html: html !== undefined && html.length > MAX_HTML_CHARACTERS ? undefined : html,
  };
  const atMs = clock.now();
  return sender.send(queueEmailCommand, {
    ...bySystem,
    isDecided: true,
    id: id ?? newId(),
    model: userModelOf(directory),
    deadline: now() + timeoutMs,
    body: {
      email: {
        ...email,
        recipientHash: recipientHashOf(context, to),
        content: secrets.seal(JSON.stringify(content)),
        expiresAtMs: Math.min(atMs + GIVE_UP_AFTER_MS, expiresAtMs),
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

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && address.test(value);
}

/** Returns the user's address. Throws if the user has no usable one. */
export function requireAddress({ values }: RecordState): string {
  const { emailAddress } = values;
  if (isAddress(emailAddress)) return emailAddress;
  throw new Refusal('forbidden', 'mail.no_address', 'The user has no e-mail address.');
}

function namesOf({ values }: RecordState): Omit<UserValues, 'siteUrl'> {
  const userName = onOneLine(String(values['userName']));
  const { name } = values;
  return { userName, name: typeof name === 'string' && name !== '' ? onOneLine(name) : userName };
}
