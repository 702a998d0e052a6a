/** The role of a contact in an opportunity. */
export const opportunityRoles: readonly string[] = [
  '',
  'Decision Maker',
  'Evaluator',
  'Influencer',
];
