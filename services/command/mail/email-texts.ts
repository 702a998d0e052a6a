import { preferenceOf } from '../../../shared/domain/preferences/preferences.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';

/** The languages of e-mails. */
type Language = 'en' | 'de';

/** The subject and text of an e-mail. `text` is plain text. */
export interface EmailText {
  readonly subject: string;
  readonly text: string;
}

/** The values in the texts that describe the user. */
export interface UserValues {
  readonly name: string;
  readonly userName: string;
  readonly siteUrl: string;
}

type WithLink = UserValues & { readonly link: string };
type WithPassword = UserValues & { readonly password: string };
type WithFinding = UserValues & {
  readonly finding: { readonly says: string; readonly remedy: string };
};

type WithActivity = UserValues & {
  readonly activity: {
    readonly typeIn: (language: Language) => string;
    readonly name: string;
    readonly at: ActivityTime;
    /** True if the time is the due date of a task, and not the start of an activity. */
    readonly isEnd: boolean;
    readonly link: string;
  };
};

/** A time in UTC, or a whole day, and the time zone of the user. */
interface ActivityTime {
  readonly time: string | null;
  readonly day: string | null;
  readonly timeZone: string;
}

interface OptIn {
  readonly link: string;
  readonly hours: number;
}

/** Writes the texts of all kinds of e-mails in one language. */
export interface EmailTexts {
  passwordReset(values: WithLink): EmailText;
  invitation(values: WithLink): EmailText;
  newPassword(values: WithPassword): EmailText;
  /** Omits the name, in which a person who uses the session of another could write to the owner of the account. */
  addressChanged(values: UserValues): EmailText;
  findingAppeared(values: WithFinding): EmailText;
  findingGone(values: WithFinding): EmailText;
  test(values: UserValues): EmailText;
  /** Contains nothing that a visitor has entered, because the address may belong to another person. */
  optIn(values: OptIn): EmailText;
  reminder(values: WithActivity): EmailText;
}

const english: EmailTexts = {
  passwordReset: ({ name, userName, siteUrl, link }) => ({
    subject: 'Reset your password',
    text: paragraphs(
      `Hello ${name},`,
      `A new password was requested for the user name ${userName} at ${siteUrl}. To choose one, open this link:`,
      link,
      'The link is valid for 3 hours and works once. If you did not request a new password, ignore this e-mail. Your password has not changed.',
    ),
  }),
  invitation: ({ name, userName, siteUrl, link }) => ({
    subject: 'Set your password',
    text: paragraphs(
      `Hello ${name},`,
      `An administrator invites you to set your password for ${siteUrl}. Your user name is ${userName}. To choose a password, open this link:`,
      link,
      'The link is valid for 2 days and works once.',
    ),
  }),
  newPassword: ({ name, userName, siteUrl, password }) => ({
    subject: 'Your new password',
    text: paragraphs(
      `Hello ${name},`,
      `An administrator has set a new password for you at ${siteUrl}.`,
      `User name: ${userName}\nPassword: ${password}`,
      'Change the password in your profile after you have signed in.',
    ),
  }),
  addressChanged: ({ userName, siteUrl }) => ({
    subject: 'Your e-mail address was changed',
    text: paragraphs(
      'Hello,',
      `The e-mail address of the user ${userName} at ${siteUrl} was changed. You receive this message at the previous address.`,
      'If you did not change it, sign in and change your password. This ends all sessions. If you cannot sign in, contact an administrator.',
      'For 24 hours, the password cannot be reset by e-mail to the new address.',
    ),
  }),
  findingAppeared: ({ name, siteUrl, finding: { says, remedy } }) => ({
    subject: `Problem: ${says}`,
    text: paragraphs(
      `Hello ${name},`,
      `There is a problem with the installation at ${siteUrl}:`,
      says,
      remedy === '' ? '' : `To fix it: ${remedy}`,
      `Details: ${siteUrl}/system`,
      'You receive this e-mail because you turned on e-mails about problems in your profile.',
    ),
  }),
  findingGone: ({ name, siteUrl, finding: { says } }) => ({
    subject: `Solved: ${says}`,
    text: paragraphs(
      `Hello ${name},`,
      `This problem with the installation at ${siteUrl} no longer exists:`,
      says,
    ),
  }),
  test: ({ name, siteUrl }) => ({
    subject: 'Test e-mail',
    text: paragraphs(
      `Hello ${name},`,
      `This is the test e-mail that you requested. The installation at ${siteUrl} can send e-mail.`,
    ),
  }),
  optIn: ({ link, hours }) => ({
    subject: 'Confirm your e-mail address',
    text: paragraphs(
      'Hello,',
      'Your e-mail address was entered in a form on our website. To confirm it, open this link:',
      link,
      `The link is valid for ${hours === 1 ? '1 hour' : `${hours} hours`}. If you did not fill in the form, ignore this e-mail.`,
    ),
  }),
  reminder: ({ name, activity }) => ({
    subject: `Reminder: ${activity.name || activity.typeIn('en')}`,
    text: paragraphs(
      `Hello ${name},`,
      [activity.typeIn('en'), onOneLine(activity.name)].filter(Boolean).join(': '),
      `${activity.isEnd ? 'Due' : 'Start'}: ${formatTime(activity.at, 'en-GB')}`,
      activity.link,
      'The activity or your profile has this reminder by e-mail.',
    ),
  }),
};

const german: EmailTexts = {
  passwordReset: ({ name, userName, siteUrl, link }) => ({
    subject: 'Passwort zurücksetzen',
    text: paragraphs(
      `Hallo ${name},`,
      `für den Benutzernamen ${userName} auf ${siteUrl} wurde ein neues Passwort angefordert. Über diesen Link können Sie es festlegen:`,
      link,
      'Der Link gilt 3 Stunden und kann einmal verwendet werden. Falls Sie kein neues Passwort angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.',
    ),
  }),
  invitation: ({ name, userName, siteUrl, link }) => ({
    subject: 'Passwort festlegen',
    text: paragraphs(
      `Hallo ${name},`,
      `Sie können jetzt Ihr Passwort für ${siteUrl} festlegen. Ihr Benutzername lautet ${userName}. Öffnen Sie dazu diesen Link:`,
      link,
      'Der Link gilt 2 Tage und kann einmal verwendet werden.',
    ),
  }),
  newPassword: ({ name, userName, siteUrl, password }) => ({
    subject: 'Ihr neues Passwort',
    text: paragraphs(
      `Hallo ${name},`,
      `ein Administrator hat auf ${siteUrl} ein neues Passwort für Sie vergeben.`,
      `Benutzername: ${userName}\nPasswort: ${password}`,
      'Bitte ändern Sie das Passwort nach der Anmeldung in Ihrem Profil.',
    ),
  }),
  addressChanged: ({ userName, siteUrl }) => ({
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    text: paragraphs(
      'Guten Tag,',
      `die E-Mail-Adresse des Benutzers ${userName} auf ${siteUrl} wurde geändert. Diese Nachricht geht an die bisherige Adresse.`,
      'Falls Sie die Adresse nicht selbst geändert haben, melden Sie sich bitte an und ändern Sie Ihr Passwort. Dadurch werden alle Sitzungen beendet. Falls Sie sich nicht anmelden können, wenden Sie sich an einen Administrator.',
      'In den nächsten 24 Stunden lässt sich das Passwort nicht über die neue Adresse zurücksetzen.',
    ),
  }),
  findingAppeared: ({ name, siteUrl, finding: { says, remedy } }) => ({
    subject: `Störung: ${says}`,
    text: paragraphs(
      `Hallo ${name},`,
      `die Installation auf ${siteUrl} meldet eine Störung (Wortlaut auf Englisch):`,
      says,
      remedy === '' ? '' : `Abhilfe: ${remedy}`,
      `Einzelheiten: ${siteUrl}/system`,
      'Sie erhalten diese E-Mail, weil Sie in Ihrem Profil E-Mails bei Störungen eingeschaltet haben.',
    ),
  }),
  findingGone: ({ name, siteUrl, finding: { says } }) => ({
    subject: `Behoben: ${says}`,
    text: paragraphs(
      `Hallo ${name},`,
      `diese Störung der Installation auf ${siteUrl} ist behoben:`,
      says,
    ),
  }),
  test: ({ name, siteUrl }) => ({
    subject: 'Test-E-Mail',
    text: paragraphs(
      `Hallo ${name},`,
      `dies ist die angeforderte Test-E-Mail. Die Installation auf ${siteUrl} kann E-Mails versenden.`,
    ),
  }),
  optIn: ({ link, hours }) => ({
    subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
    text: paragraphs(
      'Guten Tag,',
      'Ihre E-Mail-Adresse wurde in ein Formular auf unserer Website eingetragen. Bitte bestätigen Sie sie über diesen Link:',
      link,
      `Der Link gilt ${hours === 1 ? '1 Stunde' : `${hours} Stunden`}. Falls Sie das Formular nicht ausgefüllt haben, können Sie diese E-Mail ignorieren.`,
    ),
  }),
  reminder: ({ name, activity }) => ({
    subject: `Erinnerung: ${activity.name || activity.typeIn('de')}`,
    text: paragraphs(
      `Hallo ${name},`,
      [activity.typeIn('de'), onOneLine(activity.name)].filter(Boolean).join(': '),
      `${activity.isEnd ? 'Fällig' : 'Beginn'}: ${formatTime(activity.at, 'de')}`,
      activity.link,
      'Diese Erinnerung ist in der Aktivität oder in Ihrem Profil eingestellt.',
    ),
  }),
};

export const emailTexts: Readonly<Record<Language, EmailTexts>> = { en: english, de: german };

/** Returns the texts in the language of the user's preferences; `stored` are these preferences. */
export function emailTextsFor(stored: RecordState | undefined): EmailTexts {
  return emailTexts[String(preferenceOf(stored, 'language')).startsWith('de') ? 'de' : 'en'];
}

/** Names come from users and API clients. A line break in a name must not begin another paragraph. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function formatTime({ time, day, timeZone }: ActivityTime, locale: string): string {
  const date = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  if (time === null) {
    return new Intl.DateTimeFormat(locale, { ...date, timeZone: 'UTC' }).format(
      Date.parse(`${day}T00:00:00Z`),
    );
  }
  const withTime = { ...date, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat(locale, { ...withTime, timeZone }).format(
    Date.parse(`${time.replace(' ', 'T')}Z`),
  );
}

function paragraphs(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
