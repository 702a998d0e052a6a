import type { FieldDefinition } from '../../field/field-definition.ts';
import type { FieldDescription } from '../../field/field-type.ts';

/** A link whose ids stand on the other side, in a field of the records there. */
export interface LinkDefinition {
  readonly entityType: string;
  /** The field on the other side: a link, a link to many, or a parent. */
  readonly foreign: string;
  /** Linking a record that is already linked with another one is refused from this side. */
  readonly keepsLinked?: boolean;
  /** For people; absent: derived from the name. */
  readonly label?: string;
}

/**
 * How somebody comes to reach records: by a level of each right in a role; by a switch in a role, which opens their own
 * records; with the record that it belongs to, whatever roles say; or not at all but as administrator.
 */
type Access = 'levels' | 'switch' | 'belonging' | 'administrators';

/** Values of the field `status` of an activity that mean planned or past. Others mean neither. */
export interface ActivityStatuses {
  readonly planned: readonly string[];
  readonly past: readonly string[];
}

/** A condition of a search that a definition names, as clients write one (docs/reference/search.md#conditions). */
interface NamedCondition {
  readonly type: string;
  readonly attribute: string;
  readonly value?: string | readonly string[];
}

/** A JSON schema. */
type PropertySchema = Readonly<Record<string, unknown>>;

export interface EntityDefinition {
  /** Capitalised singular, for example `Account`. */
  readonly name: string;
  /** The names that people see. Absent: made from `name`. */
  readonly label?: string;
  readonly labelPlural?: string;
  /** In the order of answers and of validation. The model adds system fields (id, createdAt …). */
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  /** Further fields that clients look for in the metadata, as it describes them. Records have no values of them. */
  readonly knownFields?: Readonly<Record<string, FieldDescription>>;
  /** Removed fields whose columns the table still has. */
  readonly removedFields?: Readonly<Record<string, FieldDefinition>>;
  readonly orderBy: string;
  readonly order: 'asc' | 'desc';
  /**
   * By name: links that fields of other entity types hold. mergeDefinitions derives those that the fields name
   * themselves.
   */
  readonly links?: Readonly<Record<string, LinkDefinition>>;
  /** The order of links that shipped fields of other types name. Links that are left out come last. */
  readonly linkOrder?: readonly string[];
  /** Links that lead to a part of what another link to the same type leads to: screens leave them out. */
  readonly sideLinks?: readonly string[];
  /** `directory` types live in the directory log and in the memory of every process; `records` in the records log. */
  readonly log: 'records' | 'directory';
  /** Internal to Annals: it appears in no path of the API, role, metadata or definition. */
  readonly isInternal?: boolean;
  /** Absent: by levels, or for administrators alone if it lives in the directory. See `accessOf`. */
  readonly access?: Access;
  /** The attributes that say whose a record is, and which teams reach it; absent: by assigned user, creator and teams. */
  readonly ownedBy?: { readonly owner?: string; readonly teams?: string };
  /** Secrets that are shown in clear to who may read the record, or among them to administrators. */
  readonly opensSecrets?: {
    readonly attributes: readonly string[];
    readonly toAdministratorsOnly?: boolean;
    /** By attribute: the property that has the secret in the form of Standard Webhooks, too. */
    readonly standardForms?: Readonly<Record<string, string>>;
    /** By attribute whose secret is an object as JSON: the property that has the object in its place. */
    readonly objects?: Readonly<Record<string, string>>;
  };
  /** Fields that others than administrators may read and edit; all others are closed to them. Absent: by roles alone. */
  readonly openFields?: { readonly read: readonly string[]; readonly edit: readonly string[] };
  /** Values that a record needs in order to be listed for others than administrators. */
  readonly listedOnly?: Readonly<Record<string, true | readonly string[]>>;
  /** Whether deleted records can be restored; absent: those of the records log. */
  readonly isRestorable?: boolean;
  /** Its records are posts in the streams of other records. */
  readonly isPost?: boolean;
  /** Its records stand for files, which are uploaded and read at paths of their own. */
  readonly isFile?: boolean;
  /** Has an assigned user and teams; webhooks can watch it. */
  readonly isObject: boolean;
  /** Creating a record with the name or e-mail address of an existing one is refused, unless the client insists. */
  readonly checksDuplicates?: boolean;
  /** Links that can be made for all records of a search. */
  readonly massLinks?: readonly string[];
  /** Attributes that lists answer whatever is selected: without them clients cannot tell what a record is. */
  readonly alwaysListed?: readonly string[];
  /** Attributes that answers leave out where they have no value. */
  readonly omittedIfNull?: readonly string[];
  /** By name: the conditions of a primary filter (docs/reference/search.md#named-filters). */
  readonly primaryFilters?: Readonly<Record<string, readonly NamedCondition[]>>;
  /** Further bool filters: `onlyMe`, `onlyMyTeam`, or the name of a primary filter. */
  readonly boolFilters?: readonly string[];
  /** Primary filters that the parameter `userType` and conditions of the type `isOfType` can name. */
  readonly typeFilters?: readonly string[];
  /** Properties of requests that are no attributes, because their values are not kept as they are sent. */
  readonly sentProperties?: Readonly<Record<string, PropertySchema>>;
  /** Properties of answers that are no attributes. */
  readonly answeredProperties?: Readonly<Record<string, PropertySchema>>;
  /** Links that are copied with a record. */
  readonly copiedLinks?: readonly string[];
  /** Answers carry `versionNumber`. */
  readonly hasVersionNumber?: boolean;
  /** At least one of these fields must have a value, else `name` fails as required (Lead). */
  readonly nameRequiredUnless?: readonly string[];
  /** Required attributes that are filled in where a creation leaves them out. */
  readonly filledIn?: readonly string[];
  /** Attributes that a text search looks at; absent: name and e-mail address. */
  readonly textFilterFields?: readonly string[];
  readonly isCustom?: boolean;
  /** The template of a custom type (`Base`, `Person`), or the one that a shipped type is like; absent: `Base`. */
  readonly template?: string;
  /** Its records have a stream of posts and changes, and can be followed and starred. */
  readonly hasStream?: boolean;
  /** Its records are activities, whose status tells whether they are planned or past. */
  readonly activity?: ActivityStatuses;
  /** Its records can be converted to records of these types, which gives them this status. */
  readonly conversion?: {
    readonly targets: readonly string[];
    readonly status: string;
    /** By target: its fields that take the value of a field with another name. */
    readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  /** Webhooks can watch it although it is no object. */
  readonly isWatchable?: boolean;
  /** Administrators can add fields and links although it is no object. */
  readonly isExtensible?: boolean;
}

/** Whether administrators can add fields and links to the entity type. */
export function isCustomizable({ isObject, isExtensible }: EntityDefinition): boolean {
  return isObject || isExtensible === true;
}

export function accessOf({ access, log }: Pick<EntityDefinition, 'access' | 'log'>): Access {
  return access ?? (log === 'directory' ? 'administrators' : 'levels');
}
