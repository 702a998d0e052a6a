import type { FieldType } from './field-type.ts';
import type { fieldTypes } from './field-types.ts';

type DefinitionOf<Type> = Type extends FieldType<infer Definition> ? Definition : never;
type Definitions = DefinitionOf<(typeof fieldTypes)[number]>;
type KeyOf<Union> = Union extends unknown ? keyof Union : never;
/** A setting of other types is known to be absent, so that it can be asked for. */
type Exact<Union, Key extends PropertyKey> = Union extends unknown
  ? Union & { readonly [Absent in Exclude<Key, keyof Union>]?: undefined }
  : never;

/**
 * A field as people configure it: a union by `type` of what the types in types/ can be told. One field has one or
 * several attributes (an address has five), see attributes-of.ts. It is plain data: stock definitions are written that
 * way and custom ones travel through the log.
 */
export type FieldDefinition = Exact<Definitions, KeyOf<Definitions>>;
