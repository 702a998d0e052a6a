import { foldedAddresses, foldedText, foldedWhole } from '../../db/sql/folded-text.ts';
import {
  backwardMark,
  countryCode,
  forwardMark,
  type SearchedGroup,
  searchedFields,
  searchedWords,
  wordQuery,
} from '../../db/sql/searched-words.ts';
import { escapeLike } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';

/** A condition in a form that an index serves, and in a form that is evaluated for each row without an index. */
export interface TextCondition {
  readonly indexed: string;
  readonly scanned: string;
}

/**
 * Returns alternative conditions that a record meets if each word of a text begins one of the record's words, and each
 * telephone number in the text begins or ends one of its numbers (docs/reference/search.md#text-search). Returns
 * undefined if the text contains no words, or only single letters, which nearly every record contains.
 */
export function wordConditions(
  text: string,
  context: WhereContext,
): readonly TextCondition[] | undefined {
  const input = readInput(text);
  if (input.numbers.length === 0 && !hasLongWord(input.rest)) return undefined;
  const all = matchesWords(input, context);
  if (all === undefined) return [];
  const cut = withoutLastLabels(input, context);
  return cut === undefined ? [all] : [all, cut];
}

interface TextInput {
  /** The text without its numbers. */
  readonly rest: string;
  /** Runs of digits with the punctuation of telephone numbers. */
  readonly numbers: readonly string[];
}

/** Shorter runs of digits are words only. */
const MIN_DIGITS = 3;
const numberForm = /(?<![^\s,;])\+?[\s(]*\d[\d\s()./\u2010-\u2015-]*(?<=[\d)])(?![^\s,;])/gu;

/** Separates telephone numbers from the words of a text. */
export function readInput(text: string): TextInput {
  const numbers: string[] = [];
  const rest = text.replaceAll(numberForm, (found) => {
    if (digitsOf(found).length < MIN_DIGITS) return found;
    numbers.push(found.trim());
    return ' ';
  });
  return { rest: rest.trim(), numbers };
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '');
}

function hasLongWord(text: string): boolean {
  return wordsOf(text).some((word) => !isLetter(word));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
}

/** True for one letter or digit, with or without accents. */
function isLetter(word: string): boolean {
  return [...word.normalize('NFD').replaceAll(/\p{M}/gu, '')].length < 2;
}

function matchesWords(
  { rest, numbers }: TextInput,
  context: WhereContext,
): TextCondition | undefined {
  const { model, alias, binder, view } = context;
  const prefix = `${alias}.`;
  const every = searchedWords(model, prefix);
  const visible = searchedWords(model, prefix, { isVisible: view.isVisible });
  if (every === undefined || visible === undefined) return undefined;
  const bind = (value: string) => `${binder.bind(value)}::text`;
  const bound = wordsOf(rest).length === 0 ? undefined : bind(rest);
  const ofNumbers = numbers.map((number) => numberQuery(number, bind));
  const query = [...(bound === undefined ? [] : [wordQuery(bound)]), ...ofNumbers].join(' && ');
  const indexed = `${every} @@ (${query})`;
  // No index has this expression.
  const scanned = `(${visible} || ''::tsvector) @@ (${query})`;
  // The index also contains the words of hidden attributes.
  return { indexed: every === visible ? indexed : `(${indexed} and ${scanned})`, scanned };
}

/** Returns SQL for the text query that finds a telephone number, or the same digits as words. */
function numberQuery(number: string, bind: (value: string) => string): string {
  const digits = digitsOf(number);
  const backward = [...digits].reverse().join('');
  const forms = [
    ...beginningsOf(number, digits).map((one) => forwardMark + one),
    backwardMark + backward,
  ];
  const query = forms.map((form) => `'${form}':*`).join(' | ');
  return `(${bind(query)}::tsquery || ${wordQuery(bind(number))})`;
}

/** Returns the digits under which a number may be indexed: without country code and leading zeros. */
function beginningsOf(number: string, digits: string): readonly string[] {
  const isInternational = number.startsWith('+') || digits.startsWith('00');
  const significant = digits.replace(/^0+/, '');
  const national = significant.replace(new RegExp(`^${countryCode}`), '').replace(/^0+/, '');
  const forms = isInternational ? [national] : [significant, national];
  return [...new Set(forms)].filter((form) => form.length >= MIN_DIGITS);
}

/**
 * Matches records whose e-mail address contains the part of an address or domain in the text: the index lacks the last
 * label of addresses. Returns undefined if the text contains no such part.
 */
function withoutLastLabels(input: TextInput, context: WhereContext): TextCondition | undefined {
  const { model, view } = context;
  const mails = searchedFields(model).mails.filter(({ attribute }) => view.isVisible(attribute));
  const parts: string[] = [];
  const rest = input.rest.replaceAll(/[^\s,;]+/g, (token) => {
    const at = token.lastIndexOf('@');
    const domain = token.slice(Math.max(at, 0));
    const dot = domain.search(/(?<=[^.@])\.[^.@]+$/);
    if (dot === -1) return token;
    parts.push(domain);
    return token.slice(0, Math.max(at, 0) + dot);
  });
  if (mails.length === 0 || parts.length === 0 || wordsOf(rest).length === 0) return undefined;
  const found = matchesWords({ ...input, rest }, context);
  if (found === undefined) return undefined;
  const contained = parts.map((part) => addressContains(part, mails, context)).join(' and ');
  return {
    indexed: `(${found.indexed} and ${contained})`,
    scanned: `(${found.scanned} and ${contained})`,
  };
}

function addressContains(
  part: string,
  mails: readonly SearchedGroup[],
  { model, alias, binder }: WhereContext,
): string {
  const pattern = foldedWhole(`${binder.bind(`%${escapeLike(part)}%`)}::text`);
  const conditions = mails.flatMap(({ attribute, entries }) => {
    const data = `${alias}.${entries}`;
    const others = `exists (select from unnest(${foldedAddresses(data)}) one where one like ${pattern})`;
    return [
      `${foldedText(model, attribute, `${alias}.`)} like ${pattern}`,
      `(jsonb_array_length(${data}) > 1 and ${others})`,
    ];
  });
  return `(${conditions.join(' or ')})`;
}
