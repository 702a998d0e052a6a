import { type AttributeValue, sameValue } from '../../value/attribute-values.ts';
import { attributesOf } from '../attributes-of.ts';
import type { DefaultValue } from '../field-base.ts';
import {
  compileReader,
  type FieldDefinition,
  fieldTypeOf,
  findFieldType,
  isCounted,
} from '../field-types.ts';
import { badField, readFieldSettings } from './read-field-settings.ts';

/** Reads the definition of a custom field. Settings that are missing from the body keep their value in `current`. */
export function readFieldDefinition(
  body: Readonly<Record<string, unknown>>,
  current?: FieldDefinition,
): FieldDefinition {
  const type = current?.type ?? body['type'];
  const known = findFieldType(type);
  if (known === undefined || (current === undefined && known.isCreatable !== true)) {
    throw badField(
      `Cannot create fields of type '${String(type).slice(0, 30).replaceAll(/[^\w]/g, '?')}'.`,
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

/** Settings of a shipped field that can be overridden. Annals depends on all others. */
const overridable: ReadonlySet<string> = new Set(['options', 'required', 'default']);
/** Display and audit settings, which can be changed for any field. */
const alwaysOverridable: ReadonlySet<string> = new Set(['label', 'tooltip', 'audited']);

/**
 * Reads the settings that a body overrides on a shipped field. `kept` lists options that must remain. Clients send back
 * what they have read, so unchanged settings are always accepted.
 */
export function readFieldOverlay(
  body: Readonly<Record<string, unknown>>,
  current: FieldDefinition,
  kept: readonly string[],
): Partial<FieldDefinition> {
  const changed = Object.entries(readFieldSettings(body, fieldTypeOf(current))).filter(
    ([name, value]) => !sameValue(toPlain(value), toPlain(current[name as keyof FieldDefinition])),
  );
  for (const [name] of changed) requireOverridable(name, current);
  const overlay: Partial<FieldDefinition> = Object.fromEntries(changed);
  const missing = overlay.options && kept.find((option) => !overlay.options?.includes(option));
  if (missing !== undefined)
    throw badField(`'options' must include '${missing}': Annals sets this value itself.`);
  const { default: value } = withCheckedDefault({ ...current, ...overlay } as FieldDefinition);
  if (overlay.default === undefined) return overlay;
  return { ...overlay, default: value ?? null } as Partial<FieldDefinition>;
}

function requireOverridable(name: string, shipped: FieldDefinition): void {
  if (alwaysOverridable.has(name) || (name === 'nextNumber' && isCounted(shipped))) return;
  const { options, readOnly, notStored } = shipped;
  const isOpen = name !== 'options' || options !== undefined;
  const isForClients = readOnly !== true && notStored !== true;
  if (overridable.has(name) && isOpen && isForClients) return;
  throw badField(`'${name}' of this field cannot be changed.`);
}

/** A missing setting and a flag that is off both equal null. */
function toPlain(value: unknown): AttributeValue {
  return value === undefined || value === false ? null : (value as AttributeValue);
}

/** Validates the default, which must be a value that the field would accept from a client. */
function withCheckedDefault(definition: FieldDefinition): FieldDefinition {
  const { default: value } = definition;
  if (value === undefined || value === null) return definition;
  const read = readDefault(definition, value);
  if (!isDefault(read)) throw badField("'default' is not a valid value for this field.");
  return { ...definition, default: read } as FieldDefinition;
}

/** Returns the default as it would be stored in a record; undefined if the field would reject it. */
function readDefault(definition: FieldDefinition, value: DefaultValue): AttributeValue | undefined {
  const writable = { ...definition, readOnly: false, notStored: false } as FieldDefinition;
  const attribute = attributesOf('value', writable).find(({ name }) => name === 'value');
  // Records coerce any value to a flag, but in a definition this would hide a mistake.
  if (attribute?.kind === 'bool' && typeof value !== 'boolean') return undefined;
  const read = attribute && compileReader(attribute, writable);
  return read?.(value, () => undefined);
}

function isDefault(value: AttributeValue | undefined): value is DefaultValue | null {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
