import type { EnvReader } from './env.ts';

/** The settings for sending e-mail. */
export interface MailSettings {
  readonly smtp: SmtpSettings;
  /** The sender's address, optionally with a name: `Annals <annals@example.com>`. */
  readonly from: string;
  /** The address of the console, without a slash at the end. Links in e-mails start with it. */
  readonly siteUrl: string;
  /** True if requests for a new password do not reveal which users exist. */
  readonly hidesUsers: boolean;
}

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** True if TLS starts with the connection, false if with STARTTLS. */
  readonly isTls: boolean;
  /** False if the server may be used without TLS. */
  readonly requiresTls: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
}

const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;
const form = 'an address of the form smtp://user:password@host:587 or smtps://host';
/** A bare address, or a name with the address in angle brackets. */
const sender = /^(?:[^\s<>@,;"]+@[^\s<>@,;"]+|[^<>@,;"\r\n]+ <[^\s<>@,;"]+@[^\s<>@,;"]+>)$/;

/** Returns undefined if SMTP_URL and MAIL_FROM are not set: Annals then sends no e-mail. */
export function readMailSettings(
  read: EnvReader,
  siteUrl = readPublicUrl(read),
): MailSettings | undefined {
  const url = read.optionalSecret('SMTP_URL');
  const from = read.optionalText('MAIL_FROM');
  const hidesUsers = read.boolean('PASSWORD_RECOVERY_NO_EXPOSURE', true);
  if (from !== undefined && !sender.test(from)) {
    read.problem(
      `MAIL_FROM must be an e-mail address such as annals@example.com or Annals <annals@example.com>, got '${from}'`,
    );
  }
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined) read.problem('MAIL_FROM requires SMTP_URL');
  if (from === undefined) read.problem('SMTP_URL requires MAIL_FROM');
  if (read.optionalText('PUBLIC_URL') === undefined) {
    read.problem('SMTP_URL requires PUBLIC_URL, because e-mails contain links to the console');
  }
  const smtp = readSmtpUrl(read, url);
  if (smtp === undefined || from === undefined || siteUrl === undefined) return undefined;
  return { smtp, from, siteUrl, hidesUsers };
}

/** Returns the address of the console, without a slash at the end; undefined if it is not set or invalid. */
export function readPublicUrl(read: EnvReader): string | undefined {
  const text = read.optionalText('PUBLIC_URL');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  read.problem(`PUBLIC_URL must be an address such as https://annals.example.com, got '${text}'`);
  return undefined;
}

/** Problems do not contain the value, which may include a password. */
function readSmtpUrl(read: EnvReader, text: string | undefined): SmtpSettings | undefined {
  if (text === undefined || text === '') return undefined;
  const url = URL.parse(text);
  const credentials = url === null ? undefined : readCredentials(url);
  const isKnown = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  if (!isKnown || credentials === null) {
    read.problem(`SMTP_URL must be ${form}`);
    return undefined;
  }
  const { requireTLS, ...others } = Object.fromEntries(url.searchParams);
  const isChoice = requireTLS === undefined || requireTLS === 'true' || requireTLS === 'false';
  if (!isChoice || Object.keys(others).length > 0) {
    read.problem('The only parameter of SMTP_URL is requireTLS, which is true or false');
    return undefined;
  }
  const isTls = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: Number(url.port) || (isTls ? SMTPS_PORT : SUBMISSION_PORT),
    isTls,
    requiresTls: requireTLS === undefined ? !ownMachine.test(host) : requireTLS === 'true',
    credentials,
  };
}

const ownMachine = /^(?:localhost|127[.][0-9.]+|::1)$/i;

/** Returns undefined if the address has no credentials, and null if they cannot be decoded. */
function readCredentials({ username, password }: URL): SmtpSettings['credentials'] | null {
  if (username === '' && password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
}
