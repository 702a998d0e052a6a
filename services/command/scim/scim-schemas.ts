/** The attributes of users and groups, from which `/Schemas` is generated (RFC 7643, section 7). */
export interface Attribute {
  readonly name: string;
  readonly type: 'boolean' | 'complex' | 'string';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  /** Values from the client are ignored. */
  readonly isReadOnly?: true;
  readonly isUnique?: true;
  readonly subAttributes?: readonly Attribute[];
  readonly canonicalValues?: readonly string[];
}

export interface ResourceSchema {
  readonly name: 'Group' | 'User';
  readonly urn: string;
  readonly endpoint: '/Groups' | '/Users';
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** The attributes of all resources (RFC 7643, section 3.1). Schemas do not list them. */
const commonAttributes: readonly Attribute[] = [
  { name: 'id', type: 'string', description: 'The id.', caseExact: true, isReadOnly: true },
  { name: 'externalId', type: 'string', description: 'The id at the provider.', caseExact: true },
];

const personName: readonly Attribute[] = [
  { name: 'formatted', type: 'string', description: 'The full name.', isReadOnly: true },
  { name: 'familyName', type: 'string', description: 'The last name.' },
  { name: 'givenName', type: 'string', description: 'The first name.' },
  { name: 'middleName', type: 'string', description: 'The middle name.' },
];

export const emailTypes = ['work', 'other'] as const;
/** The types of telephone numbers of users, by their SCIM type. */
export const phoneTypes: ReadonlyMap<string, string> = new Map([
  ['work', 'Office'],
  ['mobile', 'Mobile'],
  ['home', 'Home'],
  ['fax', 'Fax'],
  ['other', 'Other'],
]);

export const userSchema: ResourceSchema = {
  name: 'User',
  urn: 'urn:ietf:params:scim:schemas:core:2.0:User',
  endpoint: '/Users',
  description: 'A user of Annals.',
  attributes: [
    {
      name: 'userName',
      type: 'string',
      description: 'The user name, in lower case and without spaces in Annals.',
      required: true,
      isUnique: true,
    },
    { name: 'name', type: 'complex', description: 'The name.', subAttributes: personName },
    {
      name: 'displayName',
      type: 'string',
      description: 'The full name. The last name of a new user without name.familyName.',
    },
    { name: 'title', type: 'string', description: 'The title.' },
    { name: 'active', type: 'boolean', description: 'False ends all log-ins of the user.' },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      description: 'The e-mail addresses: the primary one is `work`, all others are `other`.',
      subAttributes: valuesOf('The address.', emailTypes),
    },
    {
      name: 'phoneNumbers',
      type: 'complex',
      multiValued: true,
      description: 'The telephone numbers.',
      subAttributes: valuesOf('The number.', [...phoneTypes.keys()]),
    },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      isReadOnly: true,
      description: 'The groups of the user.',
      subAttributes: [
        { name: 'value', type: 'string', description: 'The id of the group.', caseExact: true },
        { name: 'display', type: 'string', description: 'The name of the group.' },
      ],
    },
  ],
};

export const groupSchema: ResourceSchema = {
  name: 'Group',
  urn: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  endpoint: '/Groups',
  description: 'A group, whose members have the teams and roles in the mapping of the provider.',
  attributes: [
    {
      name: 'displayName',
      type: 'string',
      description: 'The name, by which the mapping finds the group.',
      required: true,
      isUnique: true,
    },
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      description: 'Users that the provider manages.',
      subAttributes: [
        { name: 'value', type: 'string', description: 'The id of the user.', caseExact: true },
        { name: 'display', type: 'string', description: 'The full name.', isReadOnly: true },
      ],
    },
  ],
};

export const resourceSchemas = [userSchema, groupSchema] as const;

function valuesOf(description: string, canonicalValues: readonly string[]): readonly Attribute[] {
  return [
    { name: 'value', type: 'string', description },
    { name: 'type', type: 'string', description: 'The type.', canonicalValues },
    { name: 'primary', type: 'boolean', description: 'Whether it is the primary one.' },
  ];
}

/** Finds an attribute by its name in any case (RFC 7643, section 2.1). */
export function findAttribute(
  attributes: readonly Attribute[] | undefined,
  name: string,
): Attribute | undefined {
  const lower = name.toLowerCase();
  return attributes?.find((attribute) => attribute.name.toLowerCase() === lower);
}

/** Returns the attributes of a resource, with the attributes that all resources have. */
export function attributesOf({ attributes }: ResourceSchema): readonly Attribute[] {
  return [...commonAttributes, ...attributes];
}

export function toSchemaBody({ urn, name, description, attributes }: ResourceSchema) {
  return { id: urn, name, description, attributes: attributes.map(toAttributeBody) };
}

function toAttributeBody(attribute: Attribute): object {
  const { name, type, description, subAttributes, canonicalValues, isReadOnly } = attribute;
  return {
    name,
    type,
    multiValued: attribute.multiValued === true,
    description,
    required: attribute.required === true,
    caseExact: attribute.caseExact === true,
    mutability: isReadOnly === true ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: attribute.isUnique === true ? 'server' : 'none',
    ...(canonicalValues === undefined ? {} : { canonicalValues }),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(toAttributeBody) }),
  };
}
