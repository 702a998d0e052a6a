import type { FieldType } from './field-type.ts';
import type { fieldTypes } from './field-types.ts';

type DefinitionOf<Type> = Type extends FieldType<infer Definition> ? Definition : never;
type Definitions = DefinitionOf<(typeof fieldTypes)[number]>;
type KeyOf<Union> = Union extends unknown ? keyof Union : never;
/** Settings of other types are typed as absent, so that code can ask for them. */
type Exact<Union, Key extends PropertyKey> = Union extends unknown
  ? Union & { readonly [Absent in Exclude<Key, keyof Union>]?: undefined }
  : never;

/**
 * The definition of a field: a union by `type` of the settings of the types in types/. One field has one or several
 * attributes (an address has five), see attributes-of.ts. It is plain data: stock definitions are written in this form,
 * and custom ones are logged in it.
 */
export type FieldDefinition = Exact<Definitions, KeyOf<Definitions>>;
