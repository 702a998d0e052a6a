import type { BadRequest } from './bad-request.ts';

/** The fields to be reported, in this order, each with the kind of failure. */
export interface BadRecord extends BadRequest {
  readonly errors: readonly (readonly [field: string, type: string])[];
}

const refused =
  (method: string, path: string, defaults: object) =>
  (name: string, body: object, ...errors: readonly (readonly [string, string])[]): BadRecord => ({
    name: `${method} ${path.split('/')[1]}: ${name}`,
    method,
    path,
    body: { ...defaults, ...body },
    status: 400,
    messagePattern: new RegExp(errors[0]?.[0] ?? '.'),
    errors,
  });

const account = refused('POST', '/Account', { name: 'Would be fine' });
const accountUpdate = refused('PUT', '/Account/{account}', {});
const contact = refused('POST', '/Contact', { lastName: 'Fine' });
const lead = refused('POST', '/Lead', { lastName: 'Fine' });
const aCase = refused('POST', '/Case', { name: 'Would be fine' });

const nameRequired = ['name', 'required'] as const;
const loneSurrogate = '\ud83d';

/** Values that a record cannot have. Lead has the custom fields `dueOn` (date) and `callAt` (datetime). */
export const badValues: readonly BadRecord[] = [
  account('no name', { name: undefined }, nameRequired),
  account('an empty name', { name: '' }, nameRequired),
  account('a name of blanks', { name: ' \t\n ' }, nameRequired),
  account('null as name', { name: null }, nameRequired),
  accountUpdate('an empty name', { name: '' }, nameRequired),
  contact('no last name', { lastName: undefined, firstName: 'Ada' }, ['lastName', 'required']),
  lead('no part of a name', { lastName: undefined }, nameRequired),
  aCase('no name', { name: undefined }, nameRequired),
  account('an object as name', { name: { text: 'x' } }, ['name', 'valid']),
  account('a list as name', { name: ['x'] }, ['name', 'valid']),
  account('true as name', { name: true }, ['name', 'valid']),
  account('NUL in a name', { name: 'a\u0000b' }, ['name', 'valid']),
  account('half a character in a name', { name: `a${loneSurrogate}b` }, ['name', 'valid']),
  account('NUL in a text', { description: '\u0000' }, ['description', 'valid']),
  accountUpdate('half a character in a description', { description: loneSurrogate }, [
    'description',
    'valid',
  ]),
  account('a name of 250 characters', { name: 'x'.repeat(250) }, ['name', 'maxLength']),
  account('markup in a name', { name: '<b>Acme</b>' }, ['name', 'pattern']),
  account('a code of 41 characters', { sicCode: 'x'.repeat(41) }, ['sicCode', 'maxLength']),
  contact('a first name of 101 characters', { firstName: 'x'.repeat(101) }, [
    'firstName',
    'maxLength',
  ]),
  account('an unknown type', { type: 'Enemy' }, ['type', 'valid']),
  account('a type in lower case', { type: 'customer' }, ['type', 'valid']),
  account('__proto__ as option', { type: '__proto__' }, ['type', 'valid']),
  aCase('an unknown priority', { priority: 'Extreme' }, ['priority', 'valid']),
  lead('an unknown status', { status: 'Sleeping' }, ['status', 'valid']),
  account('an address without @', { emailAddress: 'nobody' }, ['emailAddress', 'emailAddress']),
  account('an address with blanks', { emailAddress: 'a b@c.de' }, ['emailAddress', 'emailAddress']),
  account('an address at a host without a domain', { emailAddress: 'root@localhost' }, [
    'emailAddress',
    'emailAddress',
  ]),
  contact('a bad address in the list', { emailAddressData: [{ emailAddress: 'x' }] }, [
    'emailAddress',
    'emailAddress',
  ]),
  contact('a text instead of a list of addresses', { emailAddressData: 'a@b.co' }, [
    'emailAddress',
    'valid',
  ]),
  contact(
    '11 addresses',
    {
      emailAddressData: Array.from({ length: 11 }, (_, at) => ({ emailAddress: `a${at}@b.co` })),
    },
    ['emailAddress', 'maxCount'],
  ),
  contact(
    'an unknown type of phone number',
    { phoneNumberData: [{ phoneNumber: '+493012345', type: 'X' }] },
    ['phoneNumber', 'valid'],
  ),
  account('a score in words', { scoreCust: 'high' }, ['scoreCust', 'valid']),
  account('a score beyond all numbers', { scoreCust: '1e999' }, ['scoreCust', 'valid']),
  lead('a negative amount', { opportunityAmount: -1 }, ['opportunityAmount', 'min']),
  lead('an unknown currency', { opportunityAmount: 1, opportunityAmountCurrency: 'XXX' }, [
    'opportunityAmount',
    'validCurrency',
  ]),
  account('an object instead of a flag', { emailAddress: 'a@b.co', emailAddressIsOptedOut: {} }, [
    'emailAddress',
    'valid',
  ]),
  account('a text instead of a list of teams', { teamsIds: 'team' }, ['teams', 'valid']),
  account('an invalid id', { assignedUserId: 'a b' }, ['assignedUser', 'pattern']),
  account('an object instead of an id', { assignedUserId: { id: 'user' } }, [
    'assignedUser',
    'pattern',
  ]),
  account('an invalid website', { website: 'not a website' }, ['website', 'valid']),
  account('markup in a city', { billingAddressCity: '<i>' }, ['billingAddress', 'pattern']),
  ...['2026-02-30', '2026-13-01', '30.01.2026', 'tomorrow', '2026-1-1', '0000-00-00'].map((dueOn) =>
    lead(`the date ${dueOn}`, { dueOn }, ['dueOn', 'valid']),
  ),
  ...['2026-02-30 10:00:00', '2026-01-01 24:00:00', '2026-01-01T10:00:00', '1767225600'].map(
    (callAt) => lead(`the time "${callAt}"`, { callAt }, ['callAt', 'valid']),
  ),
  account(
    'five faults, each of which is reported',
    {
      name: '',
      emailAddress: 'x',
      type: 'Enemy',
      sicCode: 'x'.repeat(41),
      scoreCust: [],
    },
    nameRequired,
    ['emailAddress', 'emailAddress'],
    ['type', 'valid'],
    ['sicCode', 'maxLength'],
    ['scoreCust', 'valid'],
  ),
];

const related = (name: string, path: string, body: object, label: string): BadRequest => ({
  name,
  method: path.includes('{') ? 'PUT' : 'POST',
  path,
  body,
  status: 403,
  messagePattern: new RegExp(label),
});

/** Links to records that do not exist. */
export const badLinks: readonly BadRequest[] = [
  related(
    'a link to an unknown account',
    '/Contact',
    { lastName: 'x', accountId: '0'.repeat(17) },
    'Account',
  ),
  related('a link to an unknown user', '/Account/{account}', { assignedUserId: 'nobody' }, 'User'),
  related('a link to an unknown team', '/Account/{account}', { teamsIds: ['nowhere'] }, 'Team'),
  related('__proto__', '/Account/{account}', { assignedUserId: '__proto__' }, 'User'),
];
