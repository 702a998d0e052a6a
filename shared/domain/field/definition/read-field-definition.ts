import { type AttributeValue, sameValue } from '../../value/attribute-values.ts';
import { attributesOf } from '../attributes-of.ts';
import { compileReader } from '../compile-reader.ts';
import type { DefaultValue } from '../field-base.ts';
import type { FieldDefinition } from '../field-definition.ts';
import { fieldTypeOf, findFieldType } from '../field-types.ts';
import { isCounted } from '../format-number.ts';
import { badField, readFieldSettings } from './read-field-settings.ts';

/** The definition of a custom field in a body. Settings that the body does not mention stay as in `current`. */
export function readFieldDefinition(
  body: Readonly<Record<string, unknown>>,
  current?: FieldDefinition,
): FieldDefinition {
  const type = current?.type ?? body['type'];
  const known = findFieldType(type);
  if (known === undefined || (current === undefined && known.isCreatable !== true)) {
    throw badField(
      `Fields cannot be of type '${String(type).slice(0, 30).replaceAll(/[^\w]/g, '?')}'.`,
    );
  }
  const definition = {
    ...current,
    ...readFieldSettings(body, known),
    type: known.name,
    isCustom: true,
  } as FieldDefinition;
  return withCheckedDefault(definition);
}

/** Settings of a shipped field that can be overridden. Annals relies on all others. */
const overlaid: ReadonlySet<string> = new Set(['options', 'required', 'default']);
/** Settings of any field that can be changed. */
const forPeople: ReadonlySet<string> = new Set(['label', 'tooltip', 'audited']);

/**
 * The settings of a shipped field that a body overrides; `kept` are options that have to stay. Clients send back what
 * they have read, so settings that do not change are accepted, whatever they are.
 */
export function readFieldOverlay(
  body: Readonly<Record<string, unknown>>,
  current: FieldDefinition,
  kept: readonly string[],
): Partial<FieldDefinition> {
  const said = Object.entries(readFieldSettings(body, fieldTypeOf(current))).filter(
    ([name, value]) => !sameValue(toPlain(value), toPlain(current[name as keyof FieldDefinition])),
  );
  for (const [name] of said) requireOverlaid(name, current);
  const overlay: Partial<FieldDefinition> = Object.fromEntries(said);
  const missing = overlay.options && kept.find((option) => !overlay.options?.includes(option));
  if (missing !== undefined) throw badField(`'options' has to keep '${missing}': Annals sets it.`);
  const { default: value } = withCheckedDefault({ ...current, ...overlay } as FieldDefinition);
  if (overlay.default === undefined) return overlay;
  return { ...overlay, default: value ?? null } as Partial<FieldDefinition>;
}

function requireOverlaid(name: string, shipped: FieldDefinition): void {
  if (forPeople.has(name) || (name === 'nextNumber' && isCounted(shipped))) return;
  const { options, readOnly, notStored } = shipped;
  const isOpen = name !== 'options' || options !== undefined;
  const isForClients = readOnly !== true && notStored !== true;
  if (overlaid.has(name) && isOpen && isForClients) return;
  throw badField(`'${name}' of this field cannot be changed.`);
}

/** A missing setting is the same as null, and a flag that is not set is off. */
function toPlain(value: unknown): AttributeValue {
  return value === undefined || value === false ? null : (value as AttributeValue);
}

/** A default has to be a value that the field would take from a client. */
function withCheckedDefault(definition: FieldDefinition): FieldDefinition {
  const { default: value } = definition;
  if (value === undefined || value === null) return definition;
  const read = readDefault(definition, value);
  if (!isDefault(read)) throw badField("'default' is no value of this field.");
  return { ...definition, default: read } as FieldDefinition;
}

/** The value as a record would keep it; undefined if the field would refuse it. */
function readDefault(definition: FieldDefinition, value: DefaultValue): AttributeValue | undefined {
  const writable = { ...definition, readOnly: false, notStored: false } as FieldDefinition;
  const attribute = attributesOf('value', writable).find(({ name }) => name === 'value');
  // Records coerce any value of a flag; in a definition that would hide a mistake.
  if (attribute?.kind === 'bool' && typeof value !== 'boolean') return undefined;
  const read = attribute && compileReader(attribute, writable);
  return read?.(value, () => undefined);
}

function isDefault(value: AttributeValue | undefined): value is DefaultValue | null {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
