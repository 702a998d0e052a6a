import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isFileField } from '../../../shared/domain/entity/model/file-field.ts';
import { type FieldProblem, Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { type AttributeValues, toObject } from '../../../shared/domain/value/attribute-values.ts';

type Payload = Readonly<Record<string, unknown>>;

/** Attributes of e-mail addresses and telephone numbers that forms do not set. */
const droppedSuffixes = /(?:Data|IsOptedOut|IsInvalid)$/;
const nameParts = ['salutationName', 'firstName', 'middleName', 'lastName'];

/**
 * Returns true if forms can set this field of a lead. Links are excluded, because anonymous senders could use them to
 * probe for ids.
 */
export function isCapturable(lead: EntityModel, name: string): boolean {
  const field = lead.fields.get(name);
  if (field === undefined) return false;
  if (name === 'name') return true;
  const isPlain = fieldTypeOf(field).relation === undefined && !isFileField(field);
  return isPlain && field.notStored !== true && attributesIn(lead, [name]).length > 0;
}

/**
 * Returns the values of a payload that a capture accepts, as attributes of a lead. Rejects a payload that contains none
 * of them, or lacks a field that the capture requires.
 */
export function readCapturedValues(
  lead: EntityModel,
  { fieldList, fieldParams }: AttributeValues,
  payload: Payload,
): Payload {
  const fields = (Array.isArray(fieldList) ? fieldList : [])
    .map(String)
    .filter((name) => isCapturable(lead, name));
  const sent = withNameParts(fields, payload);
  const values = Object.fromEntries(
    attributesIn(lead, withPartsOfName(fields))
      .filter((name) => Object.hasOwn(sent, name) && isGiven(sent[name]))
      .map((name) => [name, sent[name]]),
  );
  if (Object.keys(values).length === 0) {
    const message = 'The body contains no value for any field of this form.';
    throw new Refusal('invalid', 'lead.empty', message, { statusReason: 'empty' });
  }
  const isMissing = (field: string) =>
    !attributesIn(lead, withPartsOfName([field])).some((name) => Object.hasOwn(values, name));
  const required = fields.filter(
    (name) => toObject(toObject(fieldParams)[name])['required'] === true,
  );
  const [first, ...others] = required
    .filter(isMissing)
    .map((field): FieldProblem => ({ field, type: 'required', message: `${field} is required.` }));
  if (first !== undefined) throw validationFailure('Lead', [first, ...others]);
  return values;
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== '';
}

function withPartsOfName(fields: readonly string[]): readonly string[] {
  return fields.flatMap((name) => (name === 'name' ? nameParts : [name]));
}

function attributesIn(lead: EntityModel, fields: readonly string[]): readonly string[] {
  return lead.attributes
    .filter(({ field, writable }) => writable && fields.includes(field))
    .map(({ name }) => name)
    .filter((name) => !droppedSuffixes.test(name));
}

/** If only `name` was sent, splits the name at its last space. */
function withNameParts(fields: readonly string[], payload: Payload): Payload {
  const name = fields.includes('name') ? payload['name'] : undefined;
  if (typeof name !== 'string' || nameParts.some((part) => isGiven(payload[part] ?? null))) {
    return payload;
  }
  const trimmed = name.trim();
  const at = trimmed.lastIndexOf(' ');
  const firstName = trimmed.slice(0, Math.max(at, 0)).trimEnd();
  return { ...payload, firstName, lastName: trimmed.slice(at + 1) };
}
