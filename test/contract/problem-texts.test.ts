import { describe, expect, it } from 'vitest';
import { problemText } from '../../services/console/language/error-text.ts';
import { translator } from '../../services/console/language/translate.ts';
import { messages as german } from '../../services/console/messages/de.ts';
import { messages as english } from '../../services/console/messages/en.ts';
import { problemTypes, valueForms } from '../../shared/domain/errors.ts';

const message = 'lastName is wrong.';
const limits = { maxLength: 20, maxCount: 20, min: 20, max: 20 };
const cases = [
  ...problemTypes
    // The message of a rejected assignment depends on the level of the user's permission.
    .filter((type) => type !== 'valid' && type !== 'assignment')
    .map((type) => [type, { type, parameters: limits, message }] as const),
  ...valueForms.map(
    (form) => [form, { type: 'valid', parameters: { form, header: 'X-A' }, message }] as const,
  ),
];
const texts = [
  ['English', translator(english, 'en')],
  ['German', translator(german, 'de')],
] as const;

describe.each(texts)('the console in %s', (_, t) => {
  it.each(cases)('has a text with label and limits for the problem %s', (_name, problem) => {
    const text = problemText(problem, 'Nachname', t);
    expect(text).not.toBe(message);
    expect(text).not.toMatch(/[{}]|lastName/);
    expect(text).toMatch(/Nachname|addresses|Adressen|type|Typ|field|Feld/);
  });

  it('shows the message of the API for a problem without a text', () => {
    expect(problemText({ type: 'valid', message }, 'Nachname', t)).toBe(message);
    expect(problemText({ type: 'later', message }, 'Nachname', t)).toBe(message);
  });
});

it('names the limit of the field in both languages', () => {
  const problem = { type: 'maxLength', parameters: { maxLength: 20 }, message };
  const [english, german] = texts.map(([, t]) => problemText(problem, 'Title', t));
  expect(english).toBe('Title can have up to 20 characters.');
  expect(german).toBe('Title darf höchstens 20 Zeichen lang sein.');
});
