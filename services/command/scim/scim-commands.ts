import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import {
  provisionedGroups,
  provisionedGroupType,
  provisionedUserType,
  toProvisionedUser,
} from '../../../shared/domain/login/provisioning.ts';
import { signInProviderType } from '../../../shared/domain/login/sign-in-provider.ts';
import { printable } from '../../../shared/domain/printable.ts';
import {
  decideDelete,
  decideUpdate,
  decideWrite,
  live,
} from '../../../shared/domain/record/decide.ts';
import { defineChange } from '../owner/define-command.ts';
import { asFlag, asObject, asText, asValues, nullable } from '../owner/read-body.ts';
import { scimRefusal } from './scim-refusal.ts';

/** As many as the groups that a sign-in may have. */
const MAX_GROUPS = 5_000;

/** Replaces the token with which a provider calls the SCIM routes; null removes it. */
export const setScimTokenCommand = defineChange({
  name: 'set-scim-token',
  readBody: asObject<{ readonly tokenHash: string | null }>({ tokenHash: nullable(asText) }),
  entityType: signInProviderType,
  decide(state, { actor, id, body }) {
    requireAdministrator(actor);
    return decideUpdate(live(state, id), { scimTokenHash: body.tokenHash });
  },
});

interface Provisioning {
  readonly providerId: string;
  readonly userId: string;
  readonly userName: string;
  readonly externalId: string | null;
  readonly isRemoved: boolean;
}

/** Records that a provider manages a user, or has deleted them. A deleted user leaves all groups. */
export const provisionUserCommand = defineChange({
  name: 'provision-user',
  readBody: asObject<Provisioning>({
    providerId: asText,
    userId: asText,
    userName: asText,
    externalId: nullable(asText),
    isRemoved: asFlag,
  }),
  entityType: provisionedUserType,
  decide(state, { actor, body }) {
    requireAdministrator(actor);
    return decideWrite(state, { ...body, ...(body.isRemoved ? { groupIds: [] } : {}) });
  },
});

/** Adds a provisioned user to a group, or removes them. Decided per user, so that two groups can change together. */
export const changeMembershipCommand = defineChange({
  name: 'change-provisioned-membership',
  readBody: asObject<{ readonly groupId: string; readonly isMember: boolean }>({
    groupId: asText,
    isMember: asFlag,
  }),
  entityType: provisionedUserType,
  decide(state, { actor, id, body }) {
    requireAdministrator(actor);
    const current = live(state, id);
    const groupIds = toProvisionedUser(current)?.groupIds ?? [];
    const others = groupIds.filter((groupId) => groupId !== body.groupId);
    if (body.isMember === groupIds.includes(body.groupId)) return undefined;
    if (body.isMember && toProvisionedUser(current)?.isRemoved === true) return undefined;
    return decideUpdate(current, { groupIds: body.isMember ? [...others, body.groupId] : others });
  },
});

interface GroupSettings {
  readonly providerId: string;
  readonly displayName: string;
  readonly externalId: string | null;
}

/** Creates or changes a group. The name is unique per provider. */
export const saveGroupCommand = defineChange({
  name: 'save-provisioned-group',
  readBody: asObject<GroupSettings>({
    providerId: asText,
    displayName: asText,
    externalId: nullable(asText),
  }),
  entityType: provisionedGroupType,
  decide(state, { actor, id, body }, { context }) {
    requireAdministrator(actor);
    const others = provisionedGroups(context.directory, body.providerId).filter(
      (group) => group.id !== id,
    );
    if (others.some(({ displayName }) => displayName === body.displayName)) {
      const message = `The group ${printable(body.displayName)} exists already.`;
      throw scimRefusal('uniqueness', message, 'conflict');
    }
    if (state === undefined && others.length >= MAX_GROUPS) {
      const message = `A provider has at most ${MAX_GROUPS} groups. Delete one first.`;
      throw scimRefusal('invalidValue', message);
    }
    return state === undefined
      ? decideWrite(state, { ...body })
      : decideUpdate(live(state, id), { ...body });
  },
});

export const removeGroupCommand = defineChange({
  name: 'remove-provisioned-group',
  readBody: asValues,
  entityType: provisionedGroupType,
  decide(state, { actor, id }) {
    requireAdministrator(actor);
    return decideDelete(live(state, id));
  },
});

export const scimCommands = [
  setScimTokenCommand,
  provisionUserCommand,
  changeMembershipCommand,
  saveGroupCommand,
  removeGroupCommand,
] as const;
