import { checkRole, requireReadLevels } from '../../../shared/domain/access/check-role.ts';
import { administratorsOnly, type DirectoryRules } from './directory-handlers.ts';

export const roleRules: DirectoryRules = {
  ...administratorsOnly,
  // Checks only values that are sent, so that a role that is older than this rule can still be renamed.
  derive: async ({ body }) => {
    requireReadLevels(body['data']);
    return {};
  },
  requireConsistent: (_id, values, { directory }) => checkRole(values, directory.entity),
};
