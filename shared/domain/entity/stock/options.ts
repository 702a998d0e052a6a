import type { FieldDefinition } from '../../field/field-types.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';

/** The name of a person and its parts. */
export const personName: EntityDefinition['fields'] = {
  name: { type: 'personName', readOnly: true },
  salutationName: { type: 'enum', options: ['', 'Mr.', 'Ms.', 'Mrs.', 'Dr.'] },
  firstName: { type: 'varchar', maxLength: 100 },
  middleName: { type: 'varchar', maxLength: 100 },
  lastName: { type: 'varchar', required: true, maxLength: 100 },
};

/** The role of a contact in an opportunity. */
export const opportunityRoles: readonly string[] = [
  '',
  'Decision Maker',
  'Evaluator',
  'Influencer',
];

export const leadSources: readonly string[] = [
  '',
  'Call',
  'Email',
  'Existing Customer',
  'Partner',
  'Public Relations',
  'Web Site',
  'Campaign',
  'Other',
];

/** The possible responses of an attendee to a meeting or call. */
export const acceptanceStatuses: readonly string[] = ['None', 'Accepted', 'Tentative', 'Declined'];

/** The acceptance status of an attendee, shown in lists of attendees. */
export const acceptance: Readonly<Record<string, FieldDefinition>> = {
  acceptanceStatus: { type: 'varchar', notStored: true },
  acceptanceStatusMeetings: acceptanceOf('meetings'),
  acceptanceStatusCalls: acceptanceOf('calls'),
};

function acceptanceOf(columnOf: string): FieldDefinition {
  return { type: 'enum', options: acceptanceStatuses, columnOf, notStored: true };
}

/** Options of Account.industry and Lead.industry. The empty option means "not chosen". */
export const industries: readonly string[] = [
  '',
  'Advertising',
  'Aerospace',
  'Agriculture',
  'Apparel & Accessories',
  'Architecture',
  'Automotive',
  'Banking',
  'Biotechnology',
  'Building Materials & Equipment',
  'Chemical',
  'Construction',
  'Consulting',
  'Computer',
  'Culture',
  'Creative',
  'Defense',
  'Education',
  'Electronics',
  'Electric Power',
  'Energy',
  'Entertainment & Leisure',
  'Finance',
  'Food & Beverage',
  'Grocery',
  'Healthcare',
  'Hospitality',
  'Insurance',
  'Legal',
  'Manufacturing',
  'Mass Media',
  'Marketing',
  'Mining',
  'Music',
  'Publishing',
  'Petroleum',
  'Real Estate',
  'Retail',
  'Service',
  'Sports',
  'Software',
  'Support',
  'Shipping',
  'Travel',
  'Technology',
  'Telecommunications',
  'Television',
  'Transportation',
  'Testing, Inspection & Certification',
  'Venture Capital',
  'Wholesale',
  'Water',
];

/** Options from earlier versions, still accepted but no longer offered. */
export const formerIndustries: readonly string[] = [
  'Arts and Culture',
  'Chemicals',
  'Consumer Goods',
  'Cosmetics',
  'Defence',
  'Engineering',
  'Entertainment',
  'Environmental Services',
  'Events',
  'Fashion',
  'Financial Services',
  'Fishing',
  'Food and Drink',
  'Forestry',
  'Gaming',
  'Government',
  'Health Care',
  'Legal Services',
  'Logistics',
  'Machinery',
  'Media',
  'Non-Profit',
  'Oil and Gas',
  'Pharmaceuticals',
  'Research',
  'Tourism',
  'Waste Management',
];
