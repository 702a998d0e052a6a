import { createHash } from 'node:crypto';

/** New Contacts as a form sends them: eight attributes, all with different names. */
export function contactBodies(count: number): readonly Readonly<Record<string, unknown>>[] {
  return Array.from({ length: count }, (_, index) => ({
    salutationName: index % 2 === 0 ? 'Mr.' : 'Ms.',
    firstName: `First${index % 97}`,
    lastName: `Lastname${index}`,
    title: 'Head of Procurement',
    emailAddress: `contact.${index}@customer-${index % 53}.example.com`,
    addressCity: 'Rotterdam',
    addressCountry: 'Netherlands',
    description: 'Met at the trade fair in May; asked for an offer on the larger plan.',
  }));
}

/** The same with names and addresses in random order, like those of many customers. */
export function variedBodies(count: number): readonly Readonly<Record<string, unknown>>[] {
  return contactBodies(count).map((body, index) => {
    const hash = createHash('md5').update(`new ${index}`).digest('hex');
    return {
      ...body,
      firstName: hash.slice(0, 6),
      lastName: hash.slice(-10),
      emailAddress: `${hash.slice(0, 12)}@customer-${index % 5300}.example.com`,
    };
  });
}
