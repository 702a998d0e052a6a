import type { FieldType } from './field-type.ts';
import type { fieldTypes } from './field-types.ts';

type DefinitionOf<Type> = Type extends FieldType<infer Definition> ? Definition : never;
type Definitions = DefinitionOf<(typeof fieldTypes)[number]>;
type KeyOf<Union> = Union extends unknown ? keyof Union : never;
/** Declares settings of other types as absent, so that code can read any setting of any field. */
type Exact<Union, Key extends PropertyKey> = Union extends unknown
  ? Union & { readonly [Absent in Exclude<Key, keyof Union>]?: undefined }
  : never;

/**
 * The definition of a field: a union, discriminated by `type`, of the settings of the types in types/. A field has one or
 * more attributes (an address has five), see attributes-of.ts. Plain data: stock definitions are written and custom ones
 * are logged in this form.
 */
export type FieldDefinition = Exact<Definitions, KeyOf<Definitions>>;
