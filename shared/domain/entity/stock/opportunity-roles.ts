/** What a contact is to an opportunity. */
export const opportunityRoles: readonly string[] = [
  '',
  'Decision Maker',
  'Evaluator',
  'Influencer',
];
