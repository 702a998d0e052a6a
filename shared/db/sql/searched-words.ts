import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';
import {
  liveSchema,
  ownName,
  quotedColumn,
  quoteName,
  shortHash,
  tableName,
} from '../tables/read-model-names.ts';
import { foldedAddresses, foldedText, foldFunction, searchedAttributes } from './folded-text.ts';

/** The number identifies the rule: a later rule needs a new index with a different name. */
const wordsFunction = 'words_1';
const wordQueryFunction = 'word_query_1';
const numbersFunction = 'phone_numbers_1';

/** An e-mail address or telephone number of a record. A record may have several in its list of entries. */
export interface SearchedGroup {
  readonly attribute: Attribute;
  /** The column that contains the list of entries. */
  readonly entries: string;
}

interface SearchedFields {
  readonly texts: readonly Attribute[];
  readonly mails: readonly SearchedGroup[];
  readonly phones: readonly SearchedGroup[];
}

/** Returns the attributes whose words a text search compares. All telephone numbers are searched by their digits. */
export function searchedFields(model: EntityModel): SearchedFields {
  const attributes = searchedAttributes(model);
  const mails = attributes.flatMap((attribute) => groupOf(model, attribute));
  const others = attributes.filter((one) => !mails.some(({ attribute }) => attribute === one));
  const phones = [...model.fields].flatMap(([name, field]) => {
    const attribute = model.attribute.get(name);
    const isPhone = attribute?.stored === true && fieldTypeOf(field).search === 'digits';
    return isPhone ? groupOf(model, attribute) : [];
  });
  return { texts: others, mails, phones };
}

function groupOf(model: EntityModel, attribute: Attribute): readonly SearchedGroup[] {
  const field = model.fields.get(attribute.field);
  const group = field && fieldTypeOf(field).group?.(attribute.field, field);
  return group === undefined ? [] : [{ attribute, entries: quotedColumn({ name: group.entries }) }];
}

interface WordsOptions {
  readonly schema?: string;
  /** Returns false for attributes to omit. If absent, none are omitted. */
  readonly isVisible?: (attribute: Attribute) => boolean;
}

/**
 * Returns SQL for the words of a record as a `tsvector`; undefined if the type has no searched attributes. `prefix` is
 * empty or an alias with its dot.
 */
export function searchedWords(
  model: EntityModel,
  prefix: string,
  { schema = liveSchema, isVisible = () => true }: WordsOptions = {},
): string | undefined {
  const { texts, mails, phones } = searchedFields(model);
  const shownTexts = texts.filter(isVisible);
  const isShown = ({ attribute }: SearchedGroup) => isVisible(attribute);
  const [shownMails, shownPhones] = [mails.filter(isShown), phones.filter(isShown)];
  if (shownTexts.length + shownMails.length + shownPhones.length === 0) return undefined;
  const text = shownTexts.map((one) => `coalesce(${foldedText(model, one, prefix)}, '')`);
  const listOf = (
    groups: readonly SearchedGroup[],
    all: (data: string) => string,
    one: typeof foldedOne,
  ) =>
    groups.map(({ attribute, entries }) => {
      const data = prefix + entries;
      return `case when jsonb_array_length(${data}) > 1 then ${all(data)} else array[${one(model, attribute, prefix)}] end`;
    });
  const mailLists = listOf(shownMails, (data) => foldedAddresses(data, schema), foldedOne);
  const numbersIn = (data: string) => `${quoteName(schema)}.${numbersFunction}(${data})`;
  const plainOne: typeof foldedOne = (_, attribute) => prefix + quotedColumn(attribute);
  const phoneLists = listOf(shownPhones, numbersIn, plainOne);
  const parts = [
    text.length === 0 ? "''" : text.join(" || ' ' || "),
    mailLists.length === 0 ? 'null' : mailLists.join(' || '),
    phoneLists.length === 0 ? 'null' : phoneLists.join(' || '),
  ];
  return `${quoteName(schema)}.${wordsFunction}(${parts.join(', ')})`;
}

function foldedOne(model: EntityModel, attribute: Attribute, prefix: string): string {
  return foldedText(model, attribute, prefix);
}

/** The index on a type's words. Its name contains a hash, because changed definitions change the searched fields. */
export interface WordIndex {
  readonly name: string;
  readonly expression: string;
}

/**
 * Returns the index on the words of a type's records; undefined if it has none. Types of the directory, such as users
 * and teams, have few records.
 */
export function wordIndexOf(model: EntityModel, schema = liveSchema): WordIndex | undefined {
  const live = searchedWords(model, '');
  const expression = searchedWords(model, '', { schema });
  if (live === undefined || expression === undefined) return undefined;
  if (model.definition.log === 'directory') return undefined;
  return { name: ownName(tableName(model.name), `words_${shortHash(live)}`), expression };
}

/** Returns SQL for the text query that finds records in which each word of a text begins a word. */
export function wordQuery(text: string): string {
  return `${quoteName(liveSchema)}.${wordQueryFunction}(${text})`;
}

/** The database function that searches call, with its argument types. */
export const wordsSignature = `${quoteName(liveSchema)}.${wordsFunction}(text, text[], text[])`;

/** Marks the digits of a telephone number in their order, and in reverse order. No word contains these characters. */
export const forwardMark = '+';
export const backwardMark = '-';

/**
 * Country codes of telephone numbers (ITU-T E.164). No code may begin with another one, because Postgres prefers the
 * longest match.
 */
export const countryCode =
  '(?:[17]|2[07]|2[1-689][0-9]|3[0-469]|3[578][0-9]|4[013-9]|42[0-9]|5[1-8]|5[09][0-9]' +
  '|6[0-6]|6[7-9][0-9]|8[1246]|8[0357-9][0-9]|9[0-58]|9[679][0-9])';

/**
 * ASCII except letters and digits, spaces, and the punctuation of other scripts. Listed explicitly, because the classes
 * of regular expressions depend on the locale of the database.
 */
const separators = String.raw`[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u00d7\u00f7\u055a-\u055f\u05be\u05f3\u05f4\u060c\u061b\u061f\u0964\u0965\u1680\u2000-\u206f\u2e00-\u2e5d\u3000-\u3003\u3008-\u3011\u3014-\u301f\u30a0\u30fb\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+`;

/** Postgres rejects longer lexemes. */
const MAX_LEXEME_BYTES = 2_046;

/**
 * Returns SQL that creates the functions for searches by words. They depend neither on the database's locale nor on the
 * configuration of its text search. Existing functions are not replaced, because indexes contain their results.
 *
 * - Accents are removed from the words of texts and addresses, but only those of Latin, Greek and Cyrillic letters:
 *   elsewhere marks distinguish vowels. The last label of an address is omitted, because `com` would find every record.
 * - A number is indexed by its digits without country code and leading zeros, and also reversed, for searches by its
 *   last digits. Indexing each of its ends instead would triple the cost of a write.
 */
export function createWordFunctions(schema: string): string {
  const name = quoteName(schema);
  const words = `${name}.${wordsFunction}`;
  return `
    do $do$ begin
      if to_regprocedure('${name}.${numbersFunction}(jsonb)') is null then
        create function ${name}.${numbersFunction}(jsonb) returns text[] language sql immutable parallel safe
        return array(select entry ->> 'phoneNumber' from jsonb_array_elements($1) entry);
      end if;
      if to_regprocedure('${words}(text, text[], text[])') is null then
        create function ${words}(texts text, mails text[], phones text[])
        returns tsvector language plpgsql immutable parallel safe as $words$
        declare
          found text := texts;
          one text;
          digits text;
        begin
          if mails is not null then
            foreach one in array mails loop
              if one is not null then
                found := found || ' ' || left(one, -strpos(reverse(one), '.'));
              end if;
            end loop;
          end if;
          if octet_length(found) <> char_length(found) then
            found := regexp_replace(normalize(found, NFD), '[\\u0300-\\u036f]+', '', 'g');
            found := replace(replace(replace(found, 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
            found := normalize(translate(found, 'øłđðħŧ', 'olddht'), NFC);
          end if;
          found := regexp_replace(found, '${separators}', ' ', 'g');
          if octet_length(found) > ${MAX_LEXEME_BYTES} then
            found := regexp_replace(found, '([^ ]{500})[^ ]+', '\\1', 'g');
          end if;
          if phones is not null then
            foreach one in array phones loop
              if one is not null then
                digits := regexp_replace(one, '^\\+${countryCode}|[^0-9]+', '', 'g');
                found := found || ' ${forwardMark}' || ltrim(digits, '0') || ' ${backwardMark}' || reverse(digits);
              end if;
            end loop;
          end if;
          return array_to_tsvector(array_remove(string_to_array(found, ' '), ''));
        end $words$;
      end if;
      if to_regprocedure('${name}.${wordQueryFunction}(text)') is null then
        create function ${name}.${wordQueryFunction}(text) returns tsquery language sql immutable parallel safe
        return (
          select string_agg('''' || word || ''':*', ' & ')::tsquery
          from unnest(tsvector_to_array(${words}(${name}.${foldFunction}($1), null, null))) word
        );
      end if;
    end $do$;`;
}
