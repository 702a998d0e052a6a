import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Language, useLanguage } from '../language/language.tsx';
import { api, bodyOf } from './client.ts';
import { labelPart, toWords } from './labels.ts';
import { type AppUser, useUser } from './session.ts';

/** A field as described by `GET Metadata`. */
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
  /** The entries of a list in JSON; absent if they can be anything. */
  readonly holds?: 'reminders';
  /** The kinds of phone numbers. */
  readonly typeList?: readonly string[];
  /** The field that contains this field: `billingAddress` for `billingAddressCity`. */
  readonly partOf?: string;
  /** The fields of a weighted amount: the money, and the percentage by which it is multiplied. */
  readonly amount?: string;
  readonly percent?: string;
  /** True for fields without values. */
  readonly utility?: boolean;
  /** An explanation for users; true if clients have their own text for it. */
  readonly tooltip?: boolean | string;
}

export interface Link {
  readonly type: 'belongsTo' | 'belongsToParent' | 'hasMany' | 'hasChildren' | 'hasOne';
  /** The linked entity type; absent if there can be several. */
  readonly entity?: string;
  readonly foreign?: string;
  /** True if another link to the same entity type includes all records of this one. */
  readonly layoutRelationshipsDisabled?: boolean;
}

export interface Scope {
  readonly entity: boolean;
  readonly object: boolean;
  readonly tab: boolean;
  readonly stream: boolean;
  readonly isCustom: boolean;
  /** True if custom fields and links can be added. */
  readonly customizable?: boolean;
  /** True if webhooks can subscribe to events of its records. */
  readonly watchable?: boolean;
  /** The field that contains a record's status. */
  readonly statusField?: string;
  /** The template of the entity type. */
  readonly type?: string;
  /** How roles grant access: true for a level per action, `boolean` for all or nothing, false if roles do not apply. */
  readonly acl: boolean | 'boolean';
  readonly aclActionList?: readonly string[];
  readonly aclLevelList?: readonly string[];
  /** Levels of the actions that do not support all of `aclLevelList`. */
  readonly aclActionLevelListMap?: Readonly<Record<string, readonly string[]>>;
}

export interface Entity {
  readonly name: string;
  readonly scope: Scope;
  readonly fields: Readonly<Record<string, Field>>;
  /** The attribute that contains a record's owners. Set even if the user cannot read it. */
  readonly owner: string;
  /**
   * The attribute that contains a record's teams. Set even if the user cannot read it; absent for types without teams.
   */
  readonly teams?: string;
  readonly links: Readonly<Record<string, Link>>;
  readonly collection: {
    readonly orderBy: string;
    readonly order: 'asc' | 'desc';
    readonly textFilterFields?: readonly string[];
  };
  readonly optimisticConcurrencyControl?: boolean;
  /** The entity types that its records can be converted to. `convertedStatus` is the status after the conversion. */
  readonly convertEntityList?: readonly string[];
  readonly convertedStatus?: string;
  /** The named filters of the entity type. */
  readonly filters: readonly string[];
  readonly label: string;
  readonly labelPlural: string;
  /** Returns the label of a field, link or attribute. */
  labelOf(part: string): string;
  /** Returns the label of a field, link or attribute; undefined if it has no label. */
  ownLabelOf(part: string): string | undefined;
  /** Returns the label of an option of a field. */
  optionOf(field: string, option: string): string;
}

/** The entity types to which the user has access, sorted by name. */
export type Metadata = ReadonlyMap<string, Entity>;

type RawEntity = Omit<
  Entity,
  | 'filters'
  | 'label'
  | 'labelOf'
  | 'labelPlural'
  | 'name'
  | 'optionOf'
  | 'ownLabelOf'
  | 'owner'
  | 'scope'
  | 'teams'
>;

interface RawMetadata {
  readonly clientDefs: Readonly<Record<string, { readonly filterList: readonly string[] }>>;
  readonly entityDefs: Readonly<Record<string, RawEntity>>;
  readonly scopes: Readonly<Record<string, Scope>>;
}

type Texts = Readonly<Record<string, string>>;

interface RawLabels {
  readonly Global: {
    readonly scopeNames: Texts;
    readonly scopeNamesPlural: Texts;
    /** Includes the labels of the panels in layouts. */
    readonly labels: Texts;
  };
  readonly [entity: string]: unknown;
}

const maxAgeMs = 60_000;

const metadataQuery = queryOptions({
  queryKey: ['metadata'],
  queryFn: async () => (await bodyOf(api.GET('/Metadata'))) as unknown as RawMetadata,
  staleTime: maxAgeMs,
});

function labelsQuery(language: Language) {
  return queryOptions({
    queryKey: ['labels', language],
    queryFn: async () => {
      const headers = { 'Accept-Language': language };
      return (await bodyOf(api.GET('/I18n', { headers }))) as unknown as RawLabels;
    },
    staleTime: maxAgeMs,
    // Pages keep their input while the labels of another language load.
    placeholderData: keepPreviousData,
  });
}

/** Returns the metadata, or undefined while it is loading. */
export function useLoadedMetadata() {
  const metadata = useQuery(metadataQuery);
  const labels = useQuery(labelsQuery(useLanguage().language));
  const restricted = useUser().acl.fieldTable;
  const data = useMemo(
    () => metadata.data && labels.data && combine(metadata.data, labels.data, restricted),
    [metadata.data, labels.data, restricted],
  );
  return {
    metadata: data,
    error: data === undefined ? (metadata.error ?? labels.error) : null,
    refetch: () => Promise.all([metadata.refetch(), labels.refetch()]),
  };
}

/** Returns the metadata. Must be used inside the shell, which renders pages only after the metadata is loaded. */
export function useMetadata(): Metadata {
  const { metadata } = useLoadedMetadata();
  if (metadata === undefined) throw new Error('useMetadata must be used inside the Shell');
  return metadata;
}

/** Returns the label of an entity type or other scope, including those to which the user has no access. */
export function useTypeLabel(): (type: string) => string {
  const metadata = useMetadata();
  const { data } = useQuery(labelsQuery(useLanguage().language));
  return (type) => metadata.get(type)?.label ?? data?.Global.scopeNames[type] ?? toWords(type);
}

/** Returns the label of a field, link or attribute of an entity type or scope. */
export function usePartLabel(): (type: string, part: string) => string {
  const metadata = useMetadata();
  return (type, part) => metadata.get(type)?.labelOf(part) ?? labelPart({}, part);
}

/** Returns the label of a panel in a layout. */
export function usePanelLabel(): (label: string) => string {
  const { data } = useQuery(labelsQuery(useLanguage().language));
  return (label) => data?.Global.labels[label] ?? label;
}

/** Omits parts of fields, which are shown with the whole field, and fields that exist only for other clients. */
function ownFields(fields: Entity['fields']): Entity['fields'] {
  return Object.fromEntries(
    Object.entries(fields).filter(([, { partOf, utility }]) => partOf === undefined && !utility),
  );
}

/** Returns all scopes that roles can grant, by name: entity types, and scopes without records. */
export function useScopes(): Readonly<Record<string, Scope>> {
  return useQuery(metadataQuery).data?.scopes ?? {};
}

type RestrictedFields = AppUser['acl']['fieldTable'];

function combine(
  { clientDefs, entityDefs, scopes }: RawMetadata,
  labels: RawLabels,
  restricted: RestrictedFields,
): Metadata {
  const { scopeNames, scopeNamesPlural } = labels.Global;
  const entities = Object.entries(entityDefs).flatMap(([name, definition]) => {
    const scope = scopes[name];
    if (scope === undefined) return [];
    const own = Object(labels[name]);
    const known: Texts = { ...own.links, ...own.fields };
    const options: Readonly<Record<string, Texts>> = own.options ?? {};
    const entity: Entity = {
      name,
      scope,
      ...definition,
      ...ownersOf(name, definition.fields),
      filters: clientDefs[name]?.filterList ?? [],
      fields: withoutUnreadable(ownFields(definition.fields), restricted[name]),
      label: scopeNames[name] ?? toWords(name),
      labelPlural: scopeNamesPlural[name] ?? toWords(name),
      labelOf: (part) => labelPart(known, part),
      ownLabelOf: (part) => known[part],
      optionOf: (field, option) => options[field]?.[option] ?? option,
    };
    return [[name, entity] as const];
  });
  return new Map(entities);
}

/** Omits fields without read access, so that no column, condition or form shows them. */
function withoutUnreadable(
  fields: Entity['fields'],
  restricted: RestrictedFields[string] | undefined,
): Entity['fields'] {
  if (restricted === undefined) return fields;
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => restricted[name]?.read !== 'no'),
  );
}

/**
 * Returns the attributes that determine the owners and teams of records. `fields` must include fields that the user
 * cannot read, because the server's rules do not depend on what the user can read.
 */
export function ownersOf(
  entity: string,
  fields: Entity['fields'],
): Pick<Entity, 'owner' | 'teams'> {
  return {
    owner: entity === 'User' ? 'id' : usualOwner(fields),
    ...(entity === 'Team' ? { teams: 'id' } : 'teams' in fields ? { teams: 'teamsIds' } : {}),
  };
}

function usualOwner(fields: Entity['fields']): string {
  if ('assignedUser' in fields) return 'assignedUserId';
  return 'assignedUsers' in fields ? 'assignedUsersIds' : 'createdById';
}

/** True for the entity types of calendars: meetings, calls, tasks, and custom types of the template Event. */
export function isActivity({ name, scope, fields }: Entity): boolean {
  return (
    (name === 'Task' || scope.type === 'Event') && 'dateStart' in fields && 'dateEnd' in fields
  );
}

/** Returns the entity types of calendars that the user may read. */
export function activityTypesOf(metadata: Metadata): readonly Entity[] {
  return [...metadata.values()].filter(isActivity);
}
