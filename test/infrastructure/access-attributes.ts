export type Scope = 'Account' | 'Contact' | 'Case' | 'Task' | 'Opportunity';

export interface Behind {
  /** Of the record that has the attribute. */
  readonly field: string;
  /** Of the linked record. */
  readonly attribute: string;
  readonly idAttribute: string;
  /** Undefined for a parent, whose type stands in the record. */
  readonly scope?: Scope;
}

const common = {
  name: 'name',
  description: 'description',
  assignedUserId: 'assignedUser',
  teamsIds: 'teams',
  createdById: 'createdBy',
  createdAt: 'createdAt',
};

/** The field of each attribute that a record holds itself. */
export const ownAttributes: Readonly<Record<Scope, Readonly<Record<string, string>>>> = {
  Account: {
    ...common,
    type: 'type',
    sicCode: 'sicCode',
    emailAddress: 'emailAddress',
    billingAddressStreet: 'billingAddress',
    billingAddressCity: 'billingAddress',
  },
  Contact: {
    ...common,
    firstName: 'firstName',
    lastName: 'lastName',
    title: 'title',
    emailAddress: 'emailAddress',
    accountId: 'account',
    accountsIds: 'accounts',
    accountsColumns: 'accountsColumns',
  },
  Case: {
    ...common,
    number: 'number',
    status: 'status',
    accountId: 'account',
    contactId: 'contact',
    contactsIds: 'contacts',
    collaboratorsIds: 'collaborators',
  },
  Task: {
    ...common,
    status: 'status',
    dateStart: 'dateStart',
    dateEnd: 'dateEnd',
    accountId: 'account',
    contactId: 'contact',
    parentId: 'parent',
    parentType: 'parent',
    collaboratorsIds: 'collaborators',
    dateCompleted: 'dateCompleted',
  },
  Opportunity: {
    ...common,
    stage: 'stage',
    lastStage: 'lastStage',
    probability: 'probability',
    amount: 'amount',
    amountCurrency: 'amount',
    amountConverted: 'amount',
    amountWeightedConverted: 'amountWeightedConverted',
  },
};

/** What tells something of other fields is closed with each of them. */
export const computedFrom: Readonly<Partial<Record<string, readonly string[]>>> = {
  'Contact.name': ['firstName', 'lastName'],
  'Contact.accountType': ['account'],
  'Contact.accountsColumns': ['accounts', 'title'],
  'Task.dateCompleted': ['status'],
  'Opportunity.lastStage': ['stage'],
  'Opportunity.probability': ['stage'],
  'Opportunity.amountWeightedConverted': ['amount', 'probability'],
};

const accountName = {
  field: 'account',
  idAttribute: 'accountId',
  scope: 'Account',
  attribute: 'name',
} as const;
const contactName = {
  field: 'contact',
  idAttribute: 'contactId',
  scope: 'Contact',
  attribute: 'name',
} as const;

/** Attributes that show something of linked records. */
export const behindLinks: Readonly<Record<Scope, Readonly<Record<string, Behind>>>> = {
  Account: {},
  Contact: {
    accountName,
    accountType: { ...accountName, field: 'accountType', attribute: 'type' },
    accountsNames: { ...accountName, field: 'accounts', idAttribute: 'accountsIds' },
  },
  Case: {
    accountName,
    contactName,
    contactsNames: { ...contactName, field: 'contacts', idAttribute: 'contactsIds' },
  },
  Task: {
    accountName,
    contactName,
    parentName: { field: 'parent', idAttribute: 'parentId', attribute: 'name' },
  },
  Opportunity: {},
};

export function attributesOf(scope: Scope): readonly string[] {
  return [...Object.keys(ownAttributes[scope]), ...Object.keys(behindLinks[scope])];
}
