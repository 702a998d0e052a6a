export type Scope = 'Account' | 'Contact' | 'Case' | 'Task' | 'Opportunity';

export interface LinkedAttribute {
  /** A field of the record that has the attribute. */
  readonly field: string;
  /** An attribute of the linked record. */
  readonly attribute: string;
  readonly idAttribute: string;
  /** Undefined for a parent: the record itself stores its type. */
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

/** The field of each attribute that a record stores itself. */
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

/** Computed attributes with the fields that they reveal: closing one of the fields closes the attribute. */
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

/** Attributes that show values of linked records. */
export const linkedAttributes: Readonly<Record<Scope, Readonly<Record<string, LinkedAttribute>>>> =
  {
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
  return [...Object.keys(ownAttributes[scope]), ...Object.keys(linkedAttributes[scope])];
}
