import { randomBytes } from 'node:crypto';

const uniqueAddress = (name: string): string =>
  `${name}.${randomBytes(6).toString('hex')}@Example.org`;

/** Returns a text that no other test uses. */
export function unique(prefix: string): string {
  return `${prefix} ${randomBytes(6).toString('hex')}`;
}

type Attributes = Readonly<Record<string, unknown>>;

/** Bodies of valid creations, with attributes of many types. `changes` override them. */
export function anAccount(changes: Attributes = {}): Attributes {
  return {
    name: unique('Müller & Söhne'),
    website: 'https://example.org/über',
    emailAddress: uniqueAddress('Office'),
    phoneNumber: '+49301234567',
    type: 'Customer',
    industry: 'Banking',
    sicCode: '6021',
    billingAddressStreet: '1 Main Street\n2nd floor',
    billingAddressCity: 'Berlin',
    billingAddressPostalCode: '10115',
    billingAddressLatitude: 52.53,
    billingAddressLongitude: -13.385,
    scoreCust: 7.5,
    description: 'Line one\nline two — “quoted” \u{1f642}',
    ...changes,
  };
}

export function aContact(changes: Attributes = {}): Attributes {
  return {
    salutationName: 'Ms.',
    firstName: 'Ada',
    lastName: unique('Lovelace'),
    title: 'Analyst',
    emailAddressData: [
      { emailAddress: uniqueAddress('ada'), primary: true },
      { emailAddress: uniqueAddress('ada.l'), optOut: true },
    ],
    phoneNumberData: [{ phoneNumber: '+442012345678', type: 'Home', primary: true }],
    doNotCall: true,
    addressCity: 'London',
    ...changes,
  };
}

export function aLead(changes: Attributes = {}): Attributes {
  return {
    lastName: unique('Hopper'),
    status: 'Assigned',
    source: 'Web Site',
    opportunityAmount: 1200.5,
    accountName: 'Navy',
    ...changes,
  };
}

export function aCase(changes: Attributes = {}): Attributes {
  return { name: unique('Printer on fire'), priority: 'Urgent', type: 'Incident', ...changes };
}
