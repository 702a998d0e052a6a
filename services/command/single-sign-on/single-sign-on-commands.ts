import { hash } from 'node:crypto';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  externalIdentityType,
  toExternalIdentity,
} from '../../../shared/domain/login/external-identity.ts';
import { signInProviderType } from '../../../shared/domain/login/sign-in-provider.ts';
import {
  decideDelete,
  decideUpdate,
  decideWrite,
  live,
  recordNotFound,
} from '../../../shared/domain/record/decide.ts';
import type { Deciding } from '../owner/define-command.ts';
import { defineChange } from '../owner/define-command.ts';
import { asObject, asText, asValues } from '../owner/read-body.ts';

/** Each provider is a button on the sign-in page, and every process keeps all of them in memory. */
const MAX_PROVIDERS = 20;

/** The body contains the whole settings, with a sealed secret. */
export const saveProviderCommand = defineChange({
  name: 'save-sign-in-provider',
  readBody: asValues,
  entityType: signInProviderType,
  decide(state, { actor, body }, { context }) {
    requireAdministrator(actor);
    if (state !== undefined) return decideUpdate(live(state, state.id), body);
    if (context.directory.records(signInProviderType).length >= MAX_PROVIDERS) {
      const message = `An installation has at most ${MAX_PROVIDERS} providers. Delete one first.`;
      throw new Refusal('conflict', 'sign_in.too_many', message);
    }
    return decideWrite(state, body);
  },
});

export const removeProviderCommand = defineChange({
  name: 'remove-sign-in-provider',
  readBody: asValues,
  entityType: signInProviderType,
  decide(state, { actor, id }) {
    requireAdministrator(actor);
    return decideDelete(live(state, id));
  },
});

interface Linking {
  readonly issuer: string;
  readonly subject: string;
  readonly accountName: string;
  readonly userId: string;
}

/** An account whose user was not created within this time belongs to a sign-in that did not end. */
const UNFINISHED_AFTER_MS = 60_000;

/** Links an account to a user. Rejects an account of another user. */
export const linkIdentityCommand = defineChange({
  name: 'link-identity',
  readBody: asObject<Linking>({
    issuer: asText,
    subject: asText,
    accountName: asText,
    userId: asText,
  }),
  entityType: externalIdentityType,
  decide(state, { actor, body }, deciding) {
    requireSelfOrAdministrator(actor, body.userId);
    const known = toExternalIdentity(state);
    if (known?.userId === body.userId) return undefined;
    if (known !== undefined && isHeld(known, deciding)) {
      const message = 'This account is linked to another user. Remove that link first.';
      throw new Refusal('conflict', 'sign_in.account_linked', message);
    }
    return decideWrite(state, { ...body, linkedAtMs: deciding.now });
  },
});

function isHeld(
  { userId, linkedAtMs }: { readonly userId: string; readonly linkedAtMs: number },
  { now, context }: Deciding,
): boolean {
  const holder = context.directory.record('User', userId);
  if (holder === undefined) return now - linkedAtMs < UNFINISHED_AFTER_MS;
  return !holder.deleted;
}

/** The record remains without a user, because its id is derived from the account and may be linked again. */
export const unlinkIdentityCommand = defineChange({
  name: 'unlink-identity',
  readBody: asValues,
  entityType: externalIdentityType,
  decide(state, { actor, id }) {
    const known = toExternalIdentity(state);
    if (state === undefined || known === undefined) throw recordNotFound(id);
    requireSelfOrAdministrator(actor, known.userId);
    return decideUpdate(state, { userId: null });
  },
});

export const singleSignOnCommands = [
  saveProviderCommand,
  removeProviderCommand,
  linkIdentityCommand,
  unlinkIdentityCommand,
] as const;

/** Returns the id of the record for an account: a digest, because issuers and subjects are longer than ids. */
export function identityIdOf(issuer: string, subject: string): string {
  return hash('sha256', JSON.stringify([issuer, subject]), 'hex').slice(0, 40);
}

function requireSelfOrAdministrator(
  actor: { readonly id: string; readonly type: string },
  userId: string,
): void {
  if (actor.type === 'admin' || actor.id === userId) return;
  throw new Refusal('forbidden', 'access.denied', 'You can only link your own accounts.');
}
