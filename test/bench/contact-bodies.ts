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
