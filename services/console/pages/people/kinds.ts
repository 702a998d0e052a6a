/** The kinds of pages in this folder, by their name in the URL. */
export const kinds = {
  users: {
    entity: 'User',
    orderBy: 'userName',
    newText: 'people.newUser',
    nothingText: 'people.noUsersText',
  },
  teams: {
    entity: 'Team',
    orderBy: 'name',
    newText: 'people.newTeam',
    nothingText: 'people.noTeamsText',
  },
  roles: {
    entity: 'Role',
    orderBy: 'name',
    newText: 'people.newRole',
    nothingText: 'people.noRolesText',
  },
} as const;

export type Kind = keyof typeof kinds;

export function isKind(text: string): text is Kind {
  return Object.hasOwn(kinds, text);
}
