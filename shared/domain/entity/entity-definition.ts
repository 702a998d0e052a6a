import type { FieldDefinition } from '../field/field-definition.ts';

/** A link whose ids stand on the other side, in a field of the records there. */
export interface LinkDefinition {
  readonly entityType: string;
  /** The field over there: a link, a link to many, or a parent. */
  readonly foreign: string;
  /** A record that is linked is not taken away by linking it with another one from this side. */
  readonly keepsLinked?: boolean;
  /** For people; absent: made out of the name. */
  readonly label?: string;
}

/** Values of the field `status` of an activity: still to be done, or done; others are neither. */
export interface ActivityStatuses {
  readonly planned: readonly string[];
  readonly past: readonly string[];
}

export interface EntityDefinition {
  /** Capitalised singular, for example `Account`. */
  readonly name: string;
  /** In the order of answers and of validation. System fields (id, createdAt …) are added by the model. */
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  readonly orderBy: string;
  readonly order: 'asc' | 'desc';
  /**
   * By name: what is linked with records of this type by fields of other types. Those that the fields name themselves
   * are derived from them, see mergeDefinitions.
   */
  readonly links?: Readonly<Record<string, LinkDefinition>>;
  /** How the links that shipped fields of other types name come one after the other; those left out come last. */
  readonly linkOrder?: readonly string[];
  /** `directory` entities live in the directory log and in the memory of every process; `records` in the records log. */
  readonly log: 'records' | 'directory';
  /** Annals' own: no path of the API, role, metadata or definition knows it. */
  readonly isInternal?: boolean;
  /** Has assigned user and teams; may be watched by webhooks. */
  readonly isObject: boolean;
  /** A creation is refused if there is a record of the same name or e-mail address, unless the client insists. */
  readonly checksDuplicates?: boolean;
  /** Links that a copy of a record has as well. */
  readonly copiedLinks?: readonly string[];
  /** Answers carry `versionNumber`. */
  readonly hasVersionNumber?: boolean;
  /** At least one of these fields must have a value, else `name` fails as required (Lead). */
  readonly nameRequiredUnless?: readonly string[];
  /** Attributes that a search by text looks at; absent: its name and e-mail address. */
  readonly textFilterFields?: readonly string[];
  readonly isCustom?: boolean;
  /** What a custom one began as (`Base`, `Person`), and what one of Annals' own is like; absent: `Base`. */
  readonly template?: string;
  /** Its records have a stream: posts, and the changes that their events tell; they can be followed and starred. */
  readonly hasStream?: boolean;
  /** Its records are activities: what is to be done or was done about others, told by its status. */
  readonly activity?: ActivityStatuses;
  /** Webhooks may watch it although it is no object. */
  readonly isWatchable?: boolean;
  /** Takes fields and links of one's own although it is no object. */
  readonly isExtensible?: boolean;
}

/** Whether administrators may give the entity type fields and links. */
export function isCustomizable({ isObject, isExtensible }: EntityDefinition): boolean {
  return isObject || isExtensible === true;
}
