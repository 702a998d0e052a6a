import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, bodyOf } from './client.ts';
import { labelPart, toWords } from './labels.ts';
import { type AppUser, useUser } from './session.ts';

/** A field as `GET Metadata` describes it. */
export interface Field {
  readonly type: string;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly notStorable?: boolean;
  readonly isCustom?: boolean;
  readonly options?: readonly string[];
  readonly maxLength?: number;
  readonly maxCount?: number;
  readonly min?: number;
  readonly max?: number;
  readonly default?: unknown;
  readonly accept?: readonly string[];
  readonly entityList?: readonly string[];
  readonly allowCustomOptions?: boolean;
  /** The field whose part it is: `billingAddressCity` of `billingAddress`. */
  readonly partOf?: string;
  /** Annals has no values of it. */
  readonly utility?: boolean;
}

export interface Link {
  readonly type: 'belongsTo' | 'belongsToParent' | 'hasMany' | 'hasChildren' | 'hasOne';
  /** The type at the other end; absent where there may be several. */
  readonly entity?: string;
  readonly foreign?: string;
  /** It leads to a part of what another link to the same type leads to. */
  readonly layoutRelationshipsDisabled?: boolean;
}

export interface Scope {
  readonly entity: boolean;
  readonly object: boolean;
  readonly tab: boolean;
  readonly stream: boolean;
  readonly isCustom: boolean;
  /** Whether it takes fields and links of one's own. */
  readonly customizable?: boolean;
  /** Whether webhooks hear of its records. */
  readonly watchable?: boolean;
  /** The field that says how far a record is. */
  readonly statusField?: string;
  /** The template that it is made from. */
  readonly type?: string;
  /** How roles grant it: with a level per action, or at all; false if they do not. */
  readonly acl: boolean | 'boolean';
  readonly aclActionList?: readonly string[];
  readonly aclLevelList?: readonly string[];
  /** Of actions that have fewer levels than those. */
  readonly aclActionLevelListMap?: Readonly<Record<string, readonly string[]>>;
}

export interface Entity {
  readonly name: string;
  readonly scope: Scope;
  readonly fields: Readonly<Record<string, Field>>;
  readonly links: Readonly<Record<string, Link>>;
  readonly collection: {
    readonly orderBy: string;
    readonly order: 'asc' | 'desc';
    readonly textFilterFields?: readonly string[];
  };
  readonly optimisticConcurrencyControl?: boolean;
  /** What its records can be converted to, and the status that they have then. */
  readonly convertEntityList?: readonly string[];
  readonly convertedStatus?: string;
  readonly label: string;
  readonly labelPlural: string;
  /** Of a field, link or attribute. */
  labelOf(part: string): string;
}

/** The entity types that the user reaches, in the order of their names. */
export type Metadata = ReadonlyMap<string, Entity>;

type RawEntity = Omit<Entity, 'label' | 'labelOf' | 'labelPlural' | 'name' | 'scope'>;

interface RawMetadata {
  readonly entityDefs: Readonly<Record<string, RawEntity>>;
  readonly scopes: Readonly<Record<string, Scope>>;
}

interface RawLabels {
  readonly Global: {
    readonly scopeNames: Readonly<Record<string, string>>;
    readonly scopeNamesPlural: Readonly<Record<string, string>>;
  };
  readonly [entity: string]: unknown;
}

const maxAgeMs = 60_000;

const metadataQuery = queryOptions({
  queryKey: ['metadata'],
  queryFn: async () => (await bodyOf(api.GET('/Metadata'))) as unknown as RawMetadata,
  staleTime: maxAgeMs,
});

const labelsQuery = queryOptions({
  queryKey: ['labels'],
  queryFn: async () => (await bodyOf(api.GET('/I18n'))) as unknown as RawLabels,
  staleTime: maxAgeMs,
});

/** What the entity types are made of, once it is loaded. */
export function useLoadedMetadata() {
  const metadata = useQuery(metadataQuery);
  const labels = useQuery(labelsQuery);
  const closed = useUser().acl.fieldTable;
  const data = useMemo(
    () => metadata.data && labels.data && combine(metadata.data, labels.data, closed),
    [metadata.data, labels.data, closed],
  );
  return {
    metadata: data,
    error: data === undefined ? (metadata.error ?? labels.error) : null,
    refetch: () => Promise.all([metadata.refetch(), labels.refetch()]),
  };
}

/** For what the shell shows: it waits until this is loaded. */
export function useMetadata(): Metadata {
  const { metadata } = useLoadedMetadata();
  if (metadata === undefined) throw new Error('the metadata is not loaded');
  return metadata;
}

/** How an entity type, or whatever else roles grant, is called, also one that the user does not reach. */
export function useTypeLabel(): (type: string) => string {
  const metadata = useMetadata();
  return (type) => metadata.get(type)?.label ?? toWords(type);
}

/** How a field, link or attribute of such a type is called. */
export function usePartLabel(): (type: string, part: string) => string {
  const metadata = useMetadata();
  return (type, part) => metadata.get(type)?.labelOf(part) ?? labelPart({}, part);
}

/** Without the parts of fields, which the console shows with the whole, and what stands there for other clients. */
function ownFields(fields: Entity['fields']): Entity['fields'] {
  return Object.fromEntries(
    Object.entries(fields).filter(([, { partOf, utility }]) => partOf === undefined && !utility),
  );
}

/** Everything that roles grant, by name: entity types, and what has no records. */
export function useScopes(): Readonly<Record<string, Scope>> {
  return useQuery(metadataQuery).data?.scopes ?? {};
}

type ClosedFields = AppUser['acl']['fieldTable'];

function combine(
  { entityDefs, scopes }: RawMetadata,
  labels: RawLabels,
  closed: ClosedFields,
): Metadata {
  const { scopeNames, scopeNamesPlural } = labels.Global;
  const entities = Object.entries(entityDefs).flatMap(([name, definition]) => {
    const scope = scopes[name];
    if (scope === undefined) return [];
    const own = Object(labels[name]);
    const known: Readonly<Record<string, string>> = { ...own.links, ...own.fields };
    const entity: Entity = {
      name,
      scope,
      ...definition,
      fields: withoutClosed(ownFields(definition.fields), closed[name]),
      label: scopeNames[name] ?? toWords(name),
      labelPlural: scopeNamesPlural[name] ?? toWords(name),
      labelOf: (part) => labelPart(known, part),
    };
    return [[name, entity] as const];
  });
  return new Map(entities);
}

/** What a role closes for reading is nowhere to be seen: in no column, condition or form. */
function withoutClosed(
  fields: Entity['fields'],
  closed: ClosedFields[string] | undefined,
): Entity['fields'] {
  if (closed === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => closed[name]?.read !== 'no'));
}
