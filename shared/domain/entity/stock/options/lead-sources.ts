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
