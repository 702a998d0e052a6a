import type { FieldDescription } from '../../field/field-type.ts';
import type { FieldDefinition } from '../../field/field-types.ts';

/** A link whose ids are stored in a field of the records on the other side. */
export interface LinkDefinition {
  readonly entityType: string;
  /** The field on the other side: a link, a multiple link or a parent link. */
  readonly foreign: string;
  /** Rejects linking from this side if the record is already linked to another record. */
  readonly keepsLinked?: boolean;
  /** Display label; derived from the name if absent. */
  readonly label?: string;
}

/**
 * How users get access to records: by role levels per right; by a role switch that opens their own records; through the
 * record to which they belong, regardless of roles; or only as an administrator.
 */
type Access = 'levels' | 'switch' | 'belonging' | 'administrators';

/** The values of an activity's `status` field that mean planned or past. Other values have neither meaning. */
export interface ActivityStatuses {
  readonly planned: readonly string[];
  readonly past: readonly string[];
}

/** A search condition in a named filter, as clients write it (docs/reference/search.md#conditions). */
interface NamedCondition {
  readonly type: string;
  readonly attribute: string;
  readonly value?: string | readonly string[];
}

/** A JSON schema. */
type PropertySchema = Readonly<Record<string, unknown>>;

export interface EntityDefinition {
  /** Capitalized singular, for example `Account`. */
  readonly name: string;
  /** Display names; derived from `name` if absent. */
  readonly label?: string;
  readonly labelPlural?: string;
  /** In the order of responses and validation. The model adds system fields (id, createdAt …). */
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  /**
   * Additional fields that clients expect in the metadata, in the form that clients receive. Records do not contain
   * values for them.
   */
  readonly knownFields?: Readonly<Record<string, FieldDescription>>;
  /** Removed fields whose columns the table still has. */
  readonly removedFields?: Readonly<Record<string, FieldDefinition>>;
  readonly orderBy: string;
  readonly order: 'asc' | 'desc';
  /** Links stored in fields of other entity types, by name. mergeDefinitions adds links declared by fields. */
  readonly links?: Readonly<Record<string, LinkDefinition>>;
  /** The order of links declared by shipped fields of other types. Unlisted links come last. */
  readonly linkOrder?: readonly string[];
  /** Links that lead to a subset of the records of another link to the same type. Screens omit them. */
  readonly sideLinks?: readonly string[];
  /** `directory` types are stored in the directory log and in the memory of every process; `records` in the records log. */
  readonly log: 'records' | 'directory';
  /** Internal to Annals: not visible in API paths, roles, metadata or definitions. */
  readonly isInternal?: boolean;
  /** Defaults to `levels`, or to `administrators` for types in the directory. See `accessOf`. */
  readonly access?: Access;
  /** The attributes with a record's owner and teams. Defaults to the assigned user or the creator, and the teams. */
  readonly ownedBy?: { readonly owner?: string; readonly teams?: string };
  /** Secrets shown in clear text to users who may read the record, or only to the administrators among these users. */
  readonly opensSecrets?: {
    readonly attributes: readonly string[];
    readonly toAdministratorsOnly?: boolean;
    /** Maps an attribute to the property that additionally shows the secret in Standard Webhooks form. */
    readonly standardForms?: Readonly<Record<string, string>>;
    /** Maps an attribute whose secret is a JSON object to the property that contains this object instead. */
    readonly objects?: Readonly<Record<string, string>>;
  };
  /** The only fields that non-administrators may read and edit. If absent, roles alone determine access. */
  readonly openFields?: { readonly read: readonly string[]; readonly edit: readonly string[] };
  /** Values that a record must have in order to appear in the lists of non-administrators. */
  readonly listedOnly?: Readonly<Record<string, true | readonly string[]>>;
  /** True if deleted records can be restored. Defaults to true for types in the records log. */
  readonly isRestorable?: boolean;
  /** Its records are posts in the streams of other records. */
  readonly isPost?: boolean;
  /** Its records represent files, which have their own upload and download paths. */
  readonly isFile?: boolean;
  /** Has an assigned user and teams; webhooks can subscribe to it. */
  readonly isObject: boolean;
  /** Rejects new records with the name or e-mail address of an existing record, unless the client skips the check. */
  readonly checksDuplicates?: boolean;
  /** Links that can be added to all records that a search finds. */
  readonly massLinks?: readonly string[];
  /** Attributes that lists always return, because clients cannot identify the kind of record without them. */
  readonly alwaysListed?: readonly string[];
  /** Attributes that responses omit if they are null. */
  readonly omittedIfNull?: readonly string[];
  /** Conditions of the primary filters, by filter name (docs/reference/search.md#named-filters). */
  readonly primaryFilters?: Readonly<Record<string, readonly NamedCondition[]>>;
  /** Additional bool filters: `onlyMe`, `onlyMyTeam`, or the name of a primary filter. */
  readonly boolFilters?: readonly string[];
  /** Primary filters that the parameter `userType` and `isOfType` conditions accept. */
  readonly typeFilters?: readonly string[];
  /** Request properties that are not attributes, because their values are not stored as sent. */
  readonly sentProperties?: Readonly<Record<string, PropertySchema>>;
  /** Response properties that are not attributes. */
  readonly answeredProperties?: Readonly<Record<string, PropertySchema>>;
  /** Links that are copied with a record. */
  readonly copiedLinks?: readonly string[];
  /** Responses include `versionNumber`. */
  readonly hasVersionNumber?: boolean;
  /** At least one of these fields must have a value, otherwise `name` fails as required (Lead). */
  readonly nameRequiredUnless?: readonly string[];
  /** Required attributes that Annals fills in if a creation omits them. */
  readonly filledIn?: readonly string[];
  /** The columns of generated lists, after the name. Defaults to the status and the first fields. */
  readonly listFields?: readonly string[];
  /**
   * The fields of generated pages and forms, after the name. Owners, authors and custom fields follow. Defaults to all
   * fields.
   */
  readonly pageFields?: readonly string[];
  /** Options of the status that boards omit. */
  readonly boardOmits?: readonly string[];
  /** Attributes matched by text search. Defaults to name and e-mail address. */
  readonly textFilterFields?: readonly string[];
  readonly isCustom?: boolean;
  /**
   * The template of a custom type (`Base`, `Person`), or the template that a shipped type resembles. Defaults to
   * `Base`.
   */
  readonly template?: string;
  /** Its records have a stream of posts and changes, and can be followed and starred. */
  readonly hasStream?: boolean;
  /** Its records are activities, with a status that determines whether they are planned or past. */
  readonly activity?: ActivityStatuses;
  /** Its records can be converted to records of these types. The conversion sets this status. */
  readonly conversion?: {
    readonly targets: readonly string[];
    readonly status: string;
    /** Per target: maps its fields to source fields with a different name. */
    readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  /** Webhooks can subscribe to it although it is not an object. */
  readonly isWatchable?: boolean;
  /** Administrators can add fields and links although it is not an object. */
  readonly isExtensible?: boolean;
}

/** True if administrators can add fields and links to the entity type. */
export function isCustomizable({ isObject, isExtensible }: EntityDefinition): boolean {
  return isObject || isExtensible === true;
}

export function accessOf({ access, log }: EntityDefinition): Access {
  return access ?? (log === 'directory' ? 'administrators' : 'levels');
}

/** The types of links that administrators can create. `oneToMany` is `manyToOne` seen from the other side. */
export const linkTypes = ['manyToOne', 'oneToMany', 'manyToMany', 'childrenToParent'] as const;
