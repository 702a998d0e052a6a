/** The shipped entity types that most users work with. Clients list them first (`tabList` of the settings). */
export const mainTypes: readonly string[] = [
  'Account',
  'Contact',
  'Lead',
  'Opportunity',
  'Case',
  'Task',
  'Meeting',
  'Call',
];
