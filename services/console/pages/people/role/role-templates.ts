import type { Scope } from '../../../api/metadata.ts';
import type { RoleDraft } from './role-draft.ts';
import { levelsOf, presetLevels } from './scope-levels.ts';

/** Sets of permissions that a new role can start with. */
export const templates = ['sales', 'support', 'readOnly'] as const;
export type Template = (typeof templates)[number];

type Grants = Pick<RoleDraft, 'data' | 'permissions'>;

const activities = ['Task', 'Meeting', 'Call', 'Document'];
/** The entity types whose records the team works with. All others are read-only. */
export const workedWith: Readonly<Record<Template, readonly string[]>> = {
  sales: ['Account', 'Contact', 'Lead', 'Opportunity', ...activities],
  support: ['Case', 'Contact', 'KnowledgeBaseArticle', ...activities],
  readOnly: [],
};

const teamPermissions = {
  assignmentPermission: 'team',
  mentionPermission: 'team',
  userCalendarPermission: 'team',
  massUpdatePermission: 'yes',
};

/**
 * Returns the permissions of a template. A team creates and edits its own records, of which each user deletes only
 * those assigned to them, and reads the records of all other entity types that navigation shows.
 */
export function grantsOf(template: Template, scopes: Readonly<Record<string, Scope>>): Grants {
  const types = Object.entries(scopes).filter(([, { acl, tab }]) => acl === true && tab === true);
  const records = types.map(([name, scope]): [string, RoleDraft['data'][string]] => {
    const isWorkedWith = workedWith[template].includes(name);
    return [name, isWorkedWith ? teamLevels(scope) : readLevels(scope)];
  });
  return {
    data: {
      ...Object.fromEntries(records),
      User: { read: template === 'readOnly' ? 'own' : 'team', edit: 'own' },
      Team: { read: 'team' },
      Activities: true,
      Calendar: true,
    },
    permissions: template === 'readOnly' ? { assignmentPermission: 'no' } : teamPermissions,
  };
}

function teamLevels(scope: Scope) {
  return { ...presetLevels(scope, 'team'), delete: 'own' };
}

function readLevels(scope: Scope) {
  const isRead = (action: string): boolean => action === 'read' || action === 'stream';
  return Object.fromEntries(
    (scope.aclActionList ?? []).map((action) => [
      action,
      isRead(action) ? (levelsOf(scope, action)[0] ?? 'no') : 'no',
    ]),
  );
}
