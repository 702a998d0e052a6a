export type FieldType =
  | 'varchar'
  | 'text'
  | 'wysiwyg'
  | 'enum'
  | 'multiEnum'
  | 'array'
  | 'checklist'
  | 'urlMultiple'
  | 'bool'
  | 'int'
  | 'float'
  | 'enumInt'
  | 'enumFloat'
  | 'decimal'
  | 'autoincrement'
  | 'number'
  | 'date'
  | 'datetime'
  | 'datetimeOptional'
  | 'duration'
  | 'email'
  | 'phone'
  | 'address'
  | 'personName'
  | 'link'
  | 'linkOne'
  | 'linkMultiple'
  | 'linkParent'
  | 'file'
  | 'image'
  | 'attachmentMultiple'
  | 'currency'
  | 'currencyConverted'
  | 'rangeInt'
  | 'rangeFloat'
  | 'rangeCurrency'
  | 'url'
  | 'foreign'
  | 'jsonObject'
  | 'jsonArray'
  | 'barcode'
  | 'colorpicker'
  | 'secret';

/**
 * A field as people configure it. One field has one or several attributes (an address has five), see attributes.ts.
 * It is plain data: stock definitions are written that way and custom ones travel through the log.
 */
export interface FieldDefinition {
  readonly type: FieldType;
  readonly required?: boolean;
  /** required: but not where one of these fields has a value. */
  readonly requiredUnless?: readonly string[];
  /** Set by Annals alone; what a client sends for it is dropped silently. */
  readonly readOnly?: boolean;
  /** May be given on create; what an update sends for it is dropped silently. */
  readonly readOnlyAfterCreate?: boolean;
  /** Takes part in payloads and answers with its default, but has no column (values of a link's middle table). */
  readonly notStored?: boolean;
  /** For administrators alone: to read as well as to set. */
  readonly adminOnly?: boolean;
  /** Has an index of its own, over the records that have a value. */
  readonly isIndexed?: boolean;
  /** Left out of list answers unless asked for by `select`. */
  readonly singleReadOnly?: boolean;
  readonly default?: string | number | boolean | readonly string[] | null;
  /** Characters (UTF-16 code units). */
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  /** Entries of a list (e-mail addresses, phone numbers, linked ids). */
  readonly maxCount?: number;
  /** Characters of an entry of a list. */
  readonly maxItemLength?: number;
  /** ECMAScript pattern that the whole value must match. */
  readonly pattern?: string;
  /** url: `http://` or `https://` must be written out. */
  readonly protocolRequired?: boolean;
  /** enum, multiEnum: the values allowed; phone: the types of a number, the first one being the default. */
  readonly options?: readonly string[];
  /** multiEnum and the like: the options are a proposal. */
  readonly allowCustomOptions?: boolean;
  /** file, image, attachmentMultiple: the largest file that it takes, in MiB. */
  readonly maxFileSize?: number;
  /** file, attachmentMultiple: the types and name endings that it takes, `image/*`, `application/pdf`, `.csv`. */
  readonly accept?: readonly string[];
  /** link, linkOne, linkMultiple: entity type on the other side. */
  readonly entityType?: string;
  /**
   * linkOne: the link to one over there that this is the other side of. A custom link: what the other side calls it,
   * and how it is named for people there; who reads one side of such a link knows the other.
   */
  readonly foreign?: string;
  readonly foreignLabel?: string;
  /** A custom linkParent: the entity types that list under `foreign` what they are the parents of. */
  readonly foreignEntityList?: readonly string[];
  /** linkMultiple: values that belong to each link rather than to the records it joins, by name. */
  readonly columns?: Readonly<Record<string, ColumnDefinition>>;
  /** linkParent: entity types that the parent may have. */
  readonly entityList?: readonly string[];
  /** link: the link to many that has to contain it, and that clears it where it does not. */
  readonly primaryOf?: string;
  /** link with `primaryOf`: attributes of the record that are columns of the primary one, by name of the column. */
  readonly primaryColumns?: Readonly<Record<string, string>>;
  /** Where nobody gives a value: the one that belongs to the value of another attribute. */
  readonly valueBy?: {
    readonly attribute: string;
    readonly values: Readonly<Record<string, number | string>>;
  };
  /** datetime: when another attribute took this value. */
  readonly stampedWhen?: {
    readonly attribute: string;
    readonly value: string;
    /** Is emptied when the attribute takes another value. */
    readonly isCleared?: boolean;
  };
  /** number: stands before the digits, of which there are at least `padLength`, zeros in front. */
  readonly prefix?: string;
  readonly padLength?: number;
  /** autoincrement, number: new records get no lower one. */
  readonly nextNumber?: number;
  /** duration: the fields between which it lies. */
  readonly start?: string;
  readonly end?: string;
  /** currencyConverted: the amount that is shown in the default currency, or a percentage of it. */
  readonly amount?: string;
  readonly percent?: string;
  /** int, not stored: how many records these links to many have, or for how many this column of the link is set. */
  readonly counts?: { readonly links: readonly string[]; readonly column?: string };
  /** foreign: the link to follow and the attribute shown from its other side. */
  readonly link?: string;
  readonly attribute?: string;
  /** foreign: what kind of attribute that is; absent: a text. */
  readonly attributeKind?: 'string' | 'bool' | 'int' | 'float' | 'decimal' | 'date' | 'datetime';
  /** For people; absent: made out of the name. */
  readonly label?: string;
  /** For clients that show one: that there is a hint, or the hint itself. */
  readonly tooltip?: boolean | string;
  /** For clients: streams tell the changes of every field. */
  readonly audited?: boolean;
  /** Created through the API or a seed rather than shipped with Annals. */
  readonly isCustom?: boolean;
}

/** A column of a link to many, as it is called in lists of linked records: from the holder's side and from the other. */
export interface ColumnDefinition {
  readonly type: 'varchar' | 'enum' | 'bool';
  readonly maxLength?: number;
  readonly options?: readonly string[];
  readonly default?: string | boolean;
  readonly attribute?: string;
  readonly foreignAttribute?: string;
}

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
  /** By name: what is linked with records of this type by fields of other types. */
  readonly links?: Readonly<Record<string, LinkDefinition>>;
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

/** Whether a new record gets its number from Annals. */
export function isCounted(definition: FieldDefinition | undefined): boolean {
  return definition?.type === 'autoincrement' || definition?.type === 'number';
}

/** Whether administrators may give the entity type fields and links. */
export function isCustomizable({ isObject, isExtensible }: EntityDefinition): boolean {
  return isObject || isExtensible === true;
}
