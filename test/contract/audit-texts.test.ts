import { describe, expect, it } from 'vitest';
import { translator } from '../../services/console/language/translate.ts';
import { messages as german } from '../../services/console/messages/de.ts';
import { messages as germanPages } from '../../services/console/messages/de-pages.ts';
import { messages as english } from '../../services/console/messages/en.ts';
import { messages as englishPages } from '../../services/console/messages/en-pages.ts';
import { methodText, reasonText } from '../../services/console/pages/system/sign-in-text.ts';
import { signInMethods } from '../../shared/audit/access-tables.ts';
import { errorCodes } from '../../shared/http/errors/error-codes.ts';

const texts = [
  ['English', translator({ ...english, ...englishPages }, 'en')],
  ['German', translator({ ...german, ...germanPages }, 'de')],
] as const;

/** The families of codes with which a log-in or a sign-in through a provider is rejected. */
const family = /^(?:code|credentials|login|sign_in)[.]/;
const others = ['access.denied', 'service.unavailable', 'user.inactive', 'user.not_administrator'];
/** Not recorded: the log-in continues with a code; and a second factor is set up, which is not a sign-in. */
const unrecorded: ReadonlySet<string> = new Set(['code.missing', 'code.wrong', 'code.used']);
const codes = Object.values(errorCodes).flatMap((ofStatus) => Object.keys(ofStatus));
const recorded = codes.filter(
  (code) => (family.test(code) || others.includes(code)) && !unrecorded.has(code),
);

describe.each(texts)('the audit of the console in %s', (_language, t) => {
  it.each(signInMethods)('has a text for the sign-in method %s', (method) => {
    expect(methodText(method, t)).not.toBe(method);
  });

  it.each(recorded)('has a text for the rejected sign-in %s', (code) => {
    expect(reasonText(code, t)).not.toBe(code);
  });
});

it('the console shows methods and reasons of a later version unchanged', () => {
  const [[, t]] = texts;
  expect(methodText('passkey', t)).toBe('passkey');
  expect(reasonText('toString', t)).toBe('toString');
});
