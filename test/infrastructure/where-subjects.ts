import type { RandomSource } from '../support/builders/random-source.ts';
import type { TestedCondition } from './where-evaluation.ts';
import { accountIds, days, emails, moments, phones, teamIds, texts } from './where-records.ts';

/** New York switches to daylight saving time on the test's current day; Auckland is a day ahead. */
const timeZones = ['UTC', 'America/New_York', 'Pacific/Auckland', 'Asia/Kolkata', undefined];

const ordered = ['greaterThan', 'lessThan', 'greaterThanOrEquals', 'lessThanOrEquals', 'between'];
const nulls = ['isNull', 'isNotNull', 'ever', 'any', 'none'];
const equality = ['equals', 'notEquals', 'in', 'notIn'];
const textual = ['contains', 'notContains', 'startsWith', 'endsWith', 'like', 'notLike'];
const named = ['on', 'notOn', 'after', 'before'];
const counted = ['lastXDays', 'nextXDays', 'olderThanXDays', 'afterXDays'];
const relative = [
  'today',
  'past',
  'future',
  'lastSevenDays',
  'currentMonth',
  'lastMonth',
  'nextMonth',
  'currentQuarter',
  'lastQuarter',
  'currentYear',
  'lastYear',
  'currentFiscalYear',
  'lastFiscalYear',
  'currentFiscalQuarter',
  'lastFiscalQuarter',
];
const dated = [...equality, ...ordered, ...nulls, ...named, ...counted, ...relative];

interface Subject {
  readonly types: readonly string[];
  readonly values: readonly unknown[];
}

const text: Subject = { types: [...equality, ...ordered, ...nulls, ...textual], values: texts };
const flag: Subject = {
  types: [...equality, ...nulls, 'isTrue', 'isFalse'],
  values: [true, false],
};
const email: Subject = { types: [...equality, ...nulls, ...textual], values: emails };
const list: Subject = {
  types: [
    'arrayAnyOf',
    'arrayNoneOf',
    'arrayAllOf',
    'arrayIsEmpty',
    'arrayIsNotEmpty',
    'isNull',
    'isNotNull',
  ],
  values: ['x', 'y', ...texts.filter((one) => one !== '')],
};
const whole: Subject = {
  types: [...equality, ...ordered, ...nulls],
  values: [-2, -1, 0, 1, 2, 3],
};
const link: Subject = {
  types: ['linkedWith', 'notLinkedWith', 'linkedWithAll', 'isLinked', 'isNotLinked'],
  values: accountIds.filter((id) => id !== 'gone'),
};

const columnTypes = ['Equals', 'NotEquals', 'In', 'NotIn', 'IsNull', 'IsNotNull'].map(
  (type) => `column${type}`,
);

/** The tested conditions for each attribute. */
export const subjects: Readonly<Record<string, Subject>> = {
  id: { ...text, values: ['s1', 's2', 's30', 'S1'] },
  name: text,
  memo: text,
  page: text,
  code: text,
  color: { ...text, values: ['#ffffff', '#FF'] },
  label: { ...text, values: ['A-001', 'a-'] },
  level: { ...text, values: ['low', 'High', ''] },
  placeCity: text,
  site: { ...text, values: ['https://a.example', 'HTTPS'] },
  amountCurrency: { ...text, values: ['EUR', 'eur'] },
  accountId: { ...text, values: accountIds },
  accountName: text,
  accountType: { ...text, values: ['Customer', 'Partner', 'part'] },
  twinName: text,
  parentId: { ...text, values: accountIds },
  parentType: { ...text, values: ['Account', 'acc'] },
  'account.name': text,
  'account.type': { ...text, values: ['Customer', 'Partner', 'part'] },
  'account.isLocked': flag,
  'account.createdAt': { types: dated, values: moments },
  'account.emailAddress': email,
  'account.teamsIds': { ...list, values: ['t1', 't2'] },
  'accounts.name': text,
  'accounts.type': { ...text, values: ['Customer', 'Partner', 'part'] },
  flag,
  emailAddressIsOptedOut: flag,
  count: whole,
  grade: whole,
  serial: whole,
  span: whole,
  fromAges: whole,
  toAges: whole,
  ratio: { ...whole, values: [-1, -0.25, 0, 0.5, 1] },
  weight: { ...whole, values: [0.5, 0.75, 1] },
  price: { ...whole, values: [0, 0.25, 0.5] },
  amount: { ...whole, values: [0, 100.5, 201] },
  amountConverted: { ...whole, values: [0, 100.5, 201] },
  converted: { ...whole, values: [0, 100.5, 201] },
  notes: { types: ['isNull', 'isNotNull', 'ever', 'any', 'none'], values: [] },
  day: { types: dated, values: days },
  due: { types: dated, values: [...moments, ...days] },
  dueDate: { types: dated, values: days },
  moment: { types: dated, values: [...moments, ...days] },
  createdAt: { types: dated, values: moments },
  emailAddress: email,
  phoneNumber: { ...email, values: [...phones, '0100', '+1'] },
  tags: list,
  steps: list,
  words: list,
  sites: { ...list, values: ['https://a.example', 'HTTPS'] },
  accountsIds: { ...list, values: accountIds },
  accountRole: { types: [...columnTypes, 'columnLike', 'columnNotLike'], values: texts },
  accountIsOff: { types: columnTypes, values: [true, false] },
  assignedUser: { types: ['isUserFromTeams'], values: teamIds },
  account: link,
  twin: link,
  accounts: link,
};

/** Draws trees of conditions, all of which must hold. */
export function randomConditions(random: RandomSource, depth = 0): readonly TestedCondition[] {
  return Array.from({ length: 1 + random.int(depth === 0 ? 2 : 3) }, () => {
    if (depth < 4 && random.chance(0.35)) {
      return {
        type: random.pick(['and', 'or']),
        value: randomConditions(random, depth + 1),
      };
    }
    return random.chance(0.05)
      ? { type: 'textFilter', value: random.pick([...texts, ...emails, ...phones, 'a*', '*b']) }
      : randomLeaf(random);
  });
}

function randomLeaf(random: RandomSource): TestedCondition {
  const attribute = random.pick(Object.keys(subjects));
  const subject = subjects[attribute] ?? text;
  const type = random.pick(subject.types);
  const value = randomValue(random, type, subject.values);
  const timeZone = random.pick(timeZones);
  return {
    type,
    attribute,
    ...(value === undefined ? {} : { value }),
    ...(dated.includes(type) && timeZone !== undefined ? { timeZone } : {}),
  };
}

function randomValue(
  random: RandomSource,
  conditionType: string,
  values: readonly unknown[],
): unknown {
  // A column condition takes the same values as the corresponding condition on an attribute.
  const type = conditionType.replace(/^column(.)/, (_, first: string) => first.toLowerCase());
  if (counted.includes(type)) return random.int(12);
  if (type === 'between') return [random.pick(values), random.pick(values)];
  if (/^(in|notIn|isUserFromTeams)$|Of$|inkedWith/.test(type))
    return values.filter(() => random.chance(0.3));
  if ((type === 'equals' || type === 'notEquals') && random.chance(0.1)) return null;
  if (type === 'like' || type === 'notLike')
    return random.pick(['%', 'a%', '%B', '_b', '\\%', 'a\\', '%\\_b', '']);
  return equality.includes(type) ||
    ordered.includes(type) ||
    textual.includes(type) ||
    named.includes(type)
    ? random.pick(values)
    : undefined;
}
